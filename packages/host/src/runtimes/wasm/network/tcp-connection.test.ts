import type { Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { endGuests, endThreads, runGuest, startGuest } from './fixtures/run-guest.ts';
import { closeServers, serveTcp } from './fixtures/servers.ts';

afterAll(endThreads);
afterEach(async () => {
  await endGuests();
  closeServers();
});

const LOOPBACK = { tag: 'ipv4', val: [127, 0, 0, 1] };
const lookUp = async () => ['127.0.0.1'];
const denied = { error: 'access-denied' };

/** Answers what it got, in upper case, once that has ended. */
function serveEcho() {
  return serveTcp((socket) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.once('end', () => socket.end(text.toUpperCase()));
  });
}

describe('a connection', () => {
  test('to a name: looked up, written, shut down, read to its end', async () => {
    const port = await serveEcho();
    const hosts = [`echo.example:${port}`, `127.0.0.1:${port}`];
    const { value, log } = await runGuest(
      'tcp',
      { name: 'echo.example', port, lines: ['one ', 'two'] },
      { hosts, lookUp },
    );
    expect(value).toEqual({ answer: 'ONE TWO', remote: { tag: 'ipv4', port, address: [127, 0, 0, 1] }, local: 'ipv4' });
    expect(log).toEqual([]);
  });

  test("to this machine's own address, when localhost is named", async () => {
    const port = await serveTcp((socket) => socket.end('hello'));
    const { value } = await runGuest('connect', { address: LOOPBACK, port }, { hosts: [`localhost:${port}`] });
    expect(value).toEqual({ read: 5 });
  });

  test('that is refused or cut has the code of that', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const port = await serveTcp(accepted.resolve);
    const hosts = [`127.0.0.1:${port}`];
    const onConnected = async () => (await accepted.promise).resetAndDestroy();
    const { value } = await runGuest('connect-and-read', { address: LOOPBACK, port }, { hosts, onConnected });
    expect(value).toEqual({ error: 'connection-reset' });
    closeServers();
    const refused = await runGuest('connect', { address: LOOPBACK, port }, { hosts });
    expect(refused.value).toEqual({ error: 'connection-refused' });
  });

  test('ends with the instance', async () => {
    const ended = Promise.withResolvers<void>();
    const connected = Promise.withResolvers<void>();
    const port = await serveTcp((socket) => void socket.resume().once('end', ended.resolve));
    const options = { hosts: [`127.0.0.1:${port}`], onConnected: connected.resolve };
    const { network, worker } = startGuest('connect-and-read', { address: LOOPBACK, port }, options);
    await connected.promise;
    await worker.terminate();
    await network.close();
    await ended.promise;
  });
});

describe('what a guest may connect to', () => {
  test('is an address that a name led to, at the ports of that name', async () => {
    const port = await serveEcho();
    const hosts = [`a.example:${port}`, `127.0.0.1:${port}`, '127.0.0.1:9'];
    const wanted = { name: 'a.example', ports: [port, port + 1] };
    const { value, log } = await runGuest('lookup-then-connect', wanted, { hosts, lookUp });
    expect(value).toEqual(['ipv4', denied]);
    expect(log).toEqual([
      `denied: a connection to 127.0.0.1:${port + 1}; "a.example:${port + 1}" in toolPolicy.probe.hosts allows it`,
    ]);
  });

  test('is no public address that no allowed name led to', async () => {
    const { value, log } = await runGuest(
      'connect',
      { address: { tag: 'ipv4', val: [8, 8, 8, 8] }, port: 53 },
      { hosts: ['a.example:53'] },
    );
    expect(value).toEqual(denied);
    expect(log).toEqual(['denied: a connection to 8.8.8.8:53; "8.8.8.8:53" in toolPolicy.probe.hosts allows it']);
  });

  test.each<[title: string, address: object]>([
    ['loopback', LOOPBACK],
    ['IPv6 loopback', { tag: 'ipv6', val: [0, 0, 0, 0, 0, 0, 0, 1] }],
    ['the metadata of a cloud', { tag: 'ipv4', val: [169, 254, 169, 254] }],
    ['NAT64 of loopback', { tag: 'ipv6', val: [0x64, 0xff9b, 0, 0, 0, 0, 0x7f00, 1] }],
  ])('is nothing inside for "*": %s', async (_title, address) => {
    expect((await runGuest('connect', { address, port: 80 }, { hosts: ['*'] })).value).toEqual(denied);
  });

  test('is nothing at all without hosts', async () => {
    expect((await runGuest('connect', { address: LOOPBACK, port: 80 })).value).toEqual(denied);
    expect((await runGuest('lookup', { name: 'a.example' })).value).toEqual(denied);
  });
});

describe('a lookup', () => {
  test('gives the addresses of an allowed name that may be connected to', async () => {
    const answer = async () => ['10.0.0.1', '93.184.215.14', '::ffff:127.0.0.1', '2606:2800::1', 'fe80::1%eth0'];
    const { value } = await runGuest('lookup', { name: 'A.example.' }, { hosts: ['a.example:5432'], lookUp: answer });
    expect(value).toEqual([
      { tag: 'ipv4', val: [93, 184, 215, 14] },
      { tag: 'ipv6', val: [0x2606, 0x2800, 0, 0, 0, 0, 0, 1] },
    ]);
  });

  test('of a name that leads inside only is denied, and the log says where it leads', async () => {
    const { value, log } = await runGuest(
      'lookup',
      { name: 'a.example' },
      { hosts: ['*'], lookUp: async () => ['10.0.0.1'] },
    );
    expect(value).toEqual(denied);
    expect(log).toEqual([
      'denied: a connection to a.example: it leads to 10.0.0.1, which is not public; "10.0.0.1:PORT" in toolPolicy.probe.hosts allows it',
    ]);
  });

  test.each(['b.example', 'a.example.evil.test', 'xa.example'])(
    'of another name is denied and reaches no name server: %s',
    async (name) => {
      const asked: string[] = [];
      const spy = async (one: string) => {
        asked.push(one);
        return ['93.184.215.14'];
      };
      const { value, log } = await runGuest('lookup', { name }, { hosts: ['a.example'], lookUp: spy });
      expect({ value, asked }).toEqual({ value: denied, asked: [] });
      expect(log).toEqual([`denied: a lookup of ${name}; "${name}:PORT" in toolPolicy.probe.hosts allows it`]);
    },
  );

  test('of an address is that address, and of what is neither an error', async () => {
    expect((await runGuest('lookup', { name: '93.184.215.14' })).value).toEqual([
      { tag: 'ipv4', val: [93, 184, 215, 14] },
    ]);
    expect((await runGuest('lookup', { name: '0x7f.1' })).value).toEqual({ error: 'invalid-argument' });
  });

  test.each([
    ['ENOTFOUND', 'name-unresolvable'],
    ['EAI_AGAIN', 'temporary-resolver-failure'],
    ['EAI_FAIL', 'permanent-resolver-failure'],
  ])('that fails with %s says %s', async (code, expected) => {
    const fails = () => Promise.reject(Object.assign(new Error('no'), { code }));
    const { value } = await runGuest('lookup', { name: 'a.example' }, { hosts: ['a.example'], lookUp: fails });
    expect(value).toEqual({ error: expected });
  });

  test('that is never answered ends', async () => {
    const options = {
      hosts: ['a.example'],
      lookUp: () => new Promise<never>(() => undefined),
      limits: { connectMs: 50 },
    };
    expect((await runGuest('lookup', { name: 'a.example' }, options)).value).toEqual({
      error: 'temporary-resolver-failure',
    });
  });
});

test('binding, listening, accepting and UDP are denied; bad arguments have the codes of the specification', async () => {
  const { value } = await runGuest('other-sockets', null, { hosts: ['*'] });
  expect(value).toEqual({
    bind: denied,
    listen: denied,
    udp: denied,
    accept: { error: 'invalid-state' },
    localAddress: { error: 'invalid-state' },
    unspecified: { error: 'invalid-argument' },
    multicast: { error: 'invalid-argument' },
    noPort: { error: 'invalid-argument' },
    mapped: { error: 'invalid-argument' },
    idle: { error: 'invalid-argument' },
    many: { trap: expect.stringMatching(/holds 4096/) },
  });
});
