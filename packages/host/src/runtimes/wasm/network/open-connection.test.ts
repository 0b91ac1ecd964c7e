import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { endGuests, endThreads, runGuest } from './fixtures/run-guest.ts';
import { closeServers, serveHttp, serveHttps, serveTcp } from './fixtures/servers.ts';

afterAll(endThreads);
afterEach(async () => {
  await endGuests();
  closeServers();
});

const failed = (tag: string) => ({ error: { tag } });
const loopback = async () => ['127.0.0.1'];

describe('the address that is connected to', () => {
  test('is the one that was checked: a name is looked up once, and a name server that changes its mind is checked again', async () => {
    const asked: string[] = [];
    const rebinding = async (name: string) => {
      asked.push(name);
      return [asked.length === 1 ? '127.0.0.1' : '127.0.0.3'];
    };
    const port = await serveHttp((_request, response) => void response.end(`for ${asked.length}`));
    const wanted = { authority: `rebind.example:${port}` };
    const hosts = ['*', `127.0.0.1:${port}`];
    const { value, log } = await runGuest('fetch-many', [wanted, wanted], { hosts, lookUp: rebinding });
    expect(value).toEqual([expect.objectContaining({ text: 'for 1' }), failed('destination-IP-prohibited')]);
    expect(asked).toEqual(['rebind.example', 'rebind.example']);
    expect(log).toEqual([
      `denied: a connection to rebind.example: it leads to 127.0.0.3, which is not public; "127.0.0.3:${port}" in toolPolicy.probe.hosts allows it`,
    ]);
  });

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '0.0.0.0',
    '224.0.0.1',
  ])('%s is prohibited to a name that is allowed', async (address) => {
    const { value } = await runGuest(
      'fetch',
      { authority: 'a.example' },
      { hosts: ['a.example', '*'], lookUp: async () => [address] },
    );
    expect(value).toEqual(failed('destination-IP-prohibited'));
  });

  test('may be inside when it is named too, and only what is named is tried', async () => {
    const port = await serveHttp((request, response) => void response.end(request.headers.host));
    const hosts = [`a.example:${port}`, `127.0.0.1:${port}`];
    const lookUp = async () => ['10.0.0.1', '127.0.0.1'];
    const { value } = await runGuest('fetch', { authority: `a.example:${port}` }, { hosts, lookUp });
    expect(value).toMatchObject({ text: `a.example:${port}` });
  });

  test('is the next one when the first does not answer', async () => {
    const port = await serveHttp((_request, response) => void response.end('second'));
    const hosts = [`a.example:${port}`, `127.0.0.2:${port}`, `127.0.0.1:${port}`];
    const lookUp = async () => ['127.0.0.2', '127.0.0.1'];
    const { value } = await runGuest('fetch', { authority: `a.example:${port}` }, { hosts, lookUp });
    expect(value).toMatchObject({ text: 'second' });
  });

  test('of localhost is loopback, when localhost is named', async () => {
    const port = await serveHttp((_request, response) => void response.end('here'));
    const wanted = { authority: `localhost:${port}` };
    expect((await runGuest('fetch', wanted, { hosts: [`localhost:${port}`] })).value).toMatchObject({ text: 'here' });
    expect((await runGuest('fetch', wanted, { hosts: ['*', `localhost:${port + 1}`] })).value).toEqual(
      failed('destination-IP-prohibited'),
    );
  });
});

describe('the host as it is written', () => {
  test.each<[hosts: string[], authority: string, scheme: 'HTTP' | 'HTTPS', entry: string]>([
    [[], 'a.example', 'HTTPS', 'a.example:443'],
    [[], 'a.example', 'HTTP', 'a.example:80'],
    [['b.example'], 'A.example.', 'HTTP', 'a.example:80'],
    [['a.example:443'], 'a.example:8443', 'HTTPS', 'a.example:8443'],
    [['*.a.example'], 'a.example', 'HTTPS', 'a.example:443'],
    [['*'], '127.0.0.1:8080', 'HTTP', '127.0.0.1:8080'],
    [['*'], '[::1]:8080', 'HTTP', '[0:0:0:0:0:0:0:1]:8080'],
  ])('%j denies %s over %s, and the log names the entry that allows it', async (hosts, authority, scheme, entry) => {
    const { value, log } = await runGuest(
      'fetch-many',
      [
        { authority, scheme },
        { authority, scheme },
      ],
      { hosts },
    );
    expect(value).toEqual([failed('HTTP-request-denied'), failed('HTTP-request-denied')]);
    expect(log).toEqual([`denied: a request to ${entry}; "${entry}" in toolPolicy.probe.hosts allows it`]);
  });

  test('a redirect is handed to the guest, whose next request is checked as any other', async () => {
    const inside = await serveHttp((_request, response) => void response.end('inside'));
    const port = await serveHttp((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inside}/secret` }).end('moved');
    });
    const { value, log } = await runGuest(
      'follow',
      { authority: `127.0.0.1:${port}` },
      { hosts: [`127.0.0.1:${port}`] },
    );
    expect(value).toEqual(failed('HTTP-request-denied'));
    expect(log).toHaveLength(1);
  });

  test('the log of a guest that asks for everything ends', async () => {
    const all = Array.from({ length: 200 }, (_, number) => ({ authority: `h${number}.example` }));
    const { log } = await runGuest('fetch-many', all);
    expect(log).toHaveLength(51);
    expect(log.at(-1)).toBe('more that the network policy denies is not listed');
  });

  test('variables that name a proxy are not read', async () => {
    const seen: string[] = [];
    const proxy = await serveTcp((socket) => void socket.on('data', (bytes) => seen.push(String(bytes))));
    const port = await serveHttp((_request, response) => void response.end('direct'));
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: `http://127.0.0.1:${proxy}`,
      http_proxy: `http://127.0.0.1:${proxy}`,
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const { value } = await runGuest('fetch', { authority: `127.0.0.1:${port}` }, { hosts: [`127.0.0.1:${port}`] });
      expect(value).toMatchObject({ text: 'direct' });
      expect(seen).toEqual([]);
    } finally {
      process.env = before;
    }
  });
});

describe('TLS', () => {
  const file = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
  const files = { key: file('tls-key.pem'), cert: file('tls-cert.pem') };
  const serve = () => serveHttps(files, (_request, response) => void response.end('secret'));
  const fetchFrom = (name: string, port: number, certificateAuthorities?: string) =>
    runGuest(
      'fetch',
      { authority: `${name}:${port}`, scheme: 'HTTPS' },
      {
        hosts: [`${name}:${port}`, `127.0.0.1:${port}`],
        lookUp: loopback,
        ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
      },
    );

  test.each(['secure.example', '127.0.0.1'])('a certificate that is trusted and made for %s is taken', async (name) => {
    expect((await fetchFrom(name, await serve(), files.cert)).value).toMatchObject({ status: 200, text: 'secret' });
  });

  test('one that is made for another name is refused', async () => {
    expect((await fetchFrom('other.example', await serve(), files.cert)).value).toEqual(
      failed('TLS-certificate-error'),
    );
  });

  test('one that nobody vouches for is refused, whatever the environment says', async () => {
    const port = await serve();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect((await fetchFrom('secure.example', port)).value).toEqual(failed('TLS-certificate-error'));
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  test('a server that speaks no TLS is an error of the protocol', async () => {
    const port = await serveTcp(
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    expect((await fetchFrom('secure.example', port, files.cert)).value).toEqual(failed('TLS-protocol-error'));
  });

  test('a server that never answers the handshake ends with the time to connect', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await serveTcp((socket) => void socket.resume().once('end', closed.resolve));
    const wanted = { authority: `127.0.0.1:${port}`, scheme: 'HTTPS', connectMs: 100 };
    const { value } = await runGuest('fetch', wanted, { hosts: [`127.0.0.1:${port}`] });
    expect(value).toEqual(failed('connection-timeout'));
    await closed.promise;
  });
});
