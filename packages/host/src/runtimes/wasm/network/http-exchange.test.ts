import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { GuestRequest } from './fixtures/guest-request.ts';
import { endGuests, endThreads, runGuest, startGuest } from './fixtures/run-guest.ts';
import { closeServers, serveHttp, serveTcp } from './fixtures/servers.ts';

afterAll(endThreads);
afterEach(async () => {
  await endGuests();
  closeServers();
});

const local = (port: number) => ({ hosts: [`127.0.0.1:${port}`] });
const to = (port: number, rest: Partial<GuestRequest> = {}): GuestRequest => ({
  authority: `127.0.0.1:${port}`,
  ...rest,
});
const failed = (code: unknown) => ({ value: { error: code }, log: [] });

/** A server that tells what it was asked. */
function serveEcho() {
  return serveHttp(async (request, response) => {
    // Some of the guests here break off in the middle.
    const body = await buffer(request).then(String, () => 'cut');
    const { method, url, headers, rawTrailers } = request;
    response.setHeader('x-echo', 'yes').end(JSON.stringify({ method, url, headers, body, rawTrailers }));
  });
}

async function echo(wanted: Partial<GuestRequest>) {
  const port = await serveEcho();
  const { value, log } = await runGuest('fetch', to(port, wanted), local(port));
  expect(log).toEqual([]);
  const answer = value as { status: number; text: string; headers: [string, string][] };
  expect(answer.status).toBe(200);
  return { port, answer, seen: JSON.parse(answer.text) };
}

describe('a request', () => {
  test('gets its response, once', async () => {
    const { answer, seen, port } = await echo({ path: '/a?b=c', headers: [['X-One', 'é']] });
    expect(seen).toMatchObject({ method: 'GET', url: '/a?b=c', body: '' });
    expect(seen.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-one': 'Ã©' });
    expect(answer).toMatchObject({ again: { tag: 'err' } });
    expect(answer.headers).toContainEqual(['x-echo', 'yes']);
  });

  test.each<[title: string, wanted: Partial<GuestRequest>]>([
    ['after it was handed over', {}],
    ['before it is handed over', { writesFirst: true }],
  ])('has its body when that was written %s', async (_title, wanted) => {
    const { seen } = await echo({ method: { tag: 'post' }, body: ['one ', 'two'], ...wanted });
    expect(seen).toMatchObject({ method: 'POST', body: 'one two' });
    expect(seen.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
  });

  test('says how long its body is when the guest does', async () => {
    const headers = [['content-length', '7']] as const;
    const { seen } = await echo({ method: { tag: 'put' }, body: ['one two'], headers });
    expect(seen.body).toBe('one two');
    expect(seen.headers).toMatchObject({ 'content-length': '7' });
    expect(seen.headers).not.toHaveProperty('transfer-encoding');
  });

  test('of a method without a body says nothing of one, also when the guest finishes an empty one', async () => {
    for (const wanted of [{}, { takesBody: false }, { writesFirst: true }]) {
      const { seen } = await echo(wanted);
      expect(Object.keys(seen.headers)).toEqual(['host', 'connection']);
    }
    const { seen } = await echo({ method: { tag: 'post' } });
    expect(seen.headers).toMatchObject({ 'content-length': '0' });
  });

  test("a GET's body cannot pass for another request", async () => {
    const smuggled = 'GET /admin HTTP/1.1\r\nHost: evil.example\r\n\r\n';
    const { seen } = await echo({ body: [smuggled] });
    expect(seen.body).toBe(smuggled);
  });

  test('has trailers, and gets those of the response', async () => {
    const port = await serveHttp(async (request, response) => {
      await buffer(request);
      response.writeHead(200, { Trailer: 'x-sum' });
      response.write('body');
      response.addTrailers({ 'x-sum': String(request.trailers['x-mine']) });
      response.end();
    });
    const wanted = to(port, { method: { tag: 'post' }, body: ['a'], trailers: [['x-mine', '42']] });
    const { value } = await runGuest('fetch', wanted, local(port));
    expect(value).toMatchObject({ text: 'body', trailers: [['x-sum', '42']] });
  });

  test('whose body is broken off never looks whole to the server', async () => {
    const arrived = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<IncomingMessage>();
    const port = await serveHttp((request) => {
      request.once('data', () => arrived.resolve()).once('error', () => ended.resolve(request));
    });
    const options = { ...local(port), onTurn: () => arrived.promise };
    const { value } = await runGuest('drop-body', to(port, { method: { tag: 'post' } }), options);
    expect(value).toMatchObject({ tag: 'ok', val: { tag: 'err', val: { tag: 'connection-terminated' } } });
    expect((await ended.promise).complete).toBe(false);
  });

  test.each<[title: string, wanted: Partial<GuestRequest>, code: unknown]>([
    ['shorter', { body: ['one'], headers: [['content-length', '7']] }, { tag: 'HTTP-request-body-size', val: 3n }],
    [
      'longer',
      { body: ['one two three'], headers: [['content-length', '7']] },
      { tag: 'HTTP-request-body-size', val: 13n },
    ],
    ['missing', { takesBody: false, headers: [['content-length', '7']] }, { tag: 'HTTP-request-body-size', val: 0n }],
    [
      'of two lengths',
      {
        headers: [
          ['content-length', '7'],
          ['Content-Length', '8'],
        ],
      },
      { tag: 'HTTP-protocol-error' },
    ],
    ['of no length', { headers: [['content-length', '+7']] }, { tag: 'HTTP-protocol-error' }],
  ])('with a body that is %s by its Content-Length fails', async (_title, wanted, code) => {
    const port = await serveEcho();
    expect(await runGuest('fetch', to(port, { method: { tag: 'post' }, ...wanted }), local(port))).toEqual(
      failed(code),
    );
  });

  test('of any method by name, but no tunnel', async () => {
    const { seen } = await echo({ method: { tag: 'other', val: 'PROPFIND' } });
    expect(seen.method).toBe('PROPFIND');
    const port = await serveEcho();
    for (const method of [{ tag: 'connect' }, { tag: 'other', val: 'Connect' }])
      expect(await runGuest('fetch', to(port, { method }), local(port))).toEqual(
        failed({ tag: 'HTTP-request-method-invalid' }),
      );
  });
});

describe('a response', () => {
  test('of many megabytes arrives whole', async () => {
    const port = await serveHttp((_request, response) => void response.end(Buffer.alloc(5_000_000, 'x')));
    const { value } = await runGuest('fetch', to(port), local(port));
    expect(value).toMatchObject({ length: 5_000_000 });
  });

  test('that the guest does not read holds the server back', async () => {
    const stalled = Promise.withResolvers<number>();
    let sent = 0;
    const port = await serveHttp(async (_request, response) => {
      const piece = Buffer.alloc(64 * 1024);
      for (; sent < 64 * 1024 * 1024; sent += piece.length) {
        if (response.write(piece)) continue;
        const drained = once(response, 'drain').then(() => true);
        const isStalled = new Promise<boolean>((resolve) => setTimeout(resolve, 300, false));
        if (await Promise.race([drained, isStalled])) continue;
        stalled.resolve(sent);
        await drained;
      }
      response.end();
    });
    // The guest stands still until the server does; what was sent by then lies in the system's buffers.
    const { value } = await runGuest('read-late', to(port), { ...local(port), onTurn: () => stalled.promise });
    expect(await stalled.promise).toBeLessThan(16 * 1024 * 1024);
    expect(value).toBe(64 * 1024 * 1024);
  });

  test.each<[title: string, isRead: boolean]>([
    ['read', true],
    ['read to nowhere for its trailers', false],
  ])('that never ends is cut at the limit when it is %s', async (_title, readsBody) => {
    const closed = Promise.withResolvers<void>();
    const port = await serveHttp((_request, response) => {
      const push = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', push).once('close', closed.resolve);
      push();
    });
    const limits = { bodyBytes: 3_000_000 };
    const outcome = await runGuest('fetch', to(port, { readsBody }), { ...local(port), limits });
    expect(outcome).toEqual(failed({ tag: 'HTTP-response-body-size', val: 3_000_000n }));
    await endGuests();
    await closed.promise;
  });

  test.each<[title: string, answer: string, code: unknown]>([
    ['that ends early', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', { tag: 'HTTP-response-incomplete' }],
    [
      'with a broken chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      { tag: 'HTTP-protocol-error' },
    ],
    ['that is none', 'SSH-2.0-OpenSSH\r\n\r\n', { tag: 'HTTP-protocol-error' }],
    ['that is nothing', '', { tag: 'connection-terminated' }],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      { tag: 'HTTP-upgrade-failed' },
    ],
    [
      'with a head beyond the limit',
      `HTTP/1.1 200 OK\r\n${'X-Fill: 0123456789\r\n'.repeat(5000)}\r\n`,
      { tag: 'HTTP-response-header-section-size', val: undefined },
    ],
  ])('%s is an error of its own', async (_title, answer, code) => {
    const port = await serveTcp((socket) => void socket.once('data', () => socket.end(answer)));
    expect(await runGuest('fetch', to(port), local(port))).toEqual(failed(code));
  });

  test('has no header that concerned the connection only', async () => {
    const port = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Keep-Alive': 'timeout=5', 'Proxy-Authenticate': 'x', 'X-Own': 'y' }).end();
    });
    const { value } = await runGuest('fetch', to(port), local(port));
    const names = (value as { headers: string[][] }).headers.map(([name]) => name?.toLowerCase());
    expect(names.sort()).toEqual(['date', 'x-own']);
  });
});

describe('time', () => {
  test.each<[title: string, wanted: Partial<GuestRequest>, limits: object]>([
    ["the guest's limit", { firstByteMs: 50 }, {}],
    ["the host's limit", { firstByteMs: 60_000 }, { firstByteMs: 50 }],
    ['the limit of the whole', {}, { exchangeMs: 100 }],
  ])('a server that never answers: %s', async (_title, wanted, limits) => {
    const port = await serveTcp(() => undefined);
    const outcome = await runGuest('fetch', to(port, wanted), { ...local(port), limits });
    expect(outcome).toEqual(failed({ tag: 'HTTP-response-timeout' }));
  });

  test('a server that stops in the middle of its body', async () => {
    const port = await serveHttp((_request, response) => void response.write('first'));
    const outcome = await runGuest('fetch', to(port, { betweenBytesMs: 50 }), local(port));
    expect(outcome).toEqual(failed({ tag: 'connection-read-timeout' }));
  });

  test('a server that sends one byte after the other is cut by the limit of the whole', async () => {
    const port = await serveHttp((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(timer));
    });
    const outcome = await runGuest('fetch', to(port, { betweenBytesMs: 5000 }), {
      ...local(port),
      limits: { exchangeMs: 200 },
    });
    expect(outcome).toEqual(failed({ tag: 'connection-read-timeout' }));
  });

  test('a name server that never answers', async () => {
    const options = { hosts: ['slow.example'], lookUp: () => new Promise<never>(() => undefined) };
    const outcome = await runGuest('fetch', { authority: 'slow.example', connectMs: 50 }, options);
    expect(outcome).toEqual(failed({ tag: 'connection-timeout' }));
  });
});

describe('what is open', () => {
  test('is limited, with a line in the log', async () => {
    const port = await serveTcp(() => undefined);
    const { value, log } = await runGuest('hold-open', to(port), { ...local(port), limits: { channels: 5 } });
    expect(value).toEqual({ held: 5, failed: { error: { tag: 'connection-limit-reached' } } });
    expect(log[0]).toMatch(/takes 5 connections, requests and lookups of one instance at once/);
  });

  test('ends when the guest drops it, and makes room', async () => {
    const port = await serveTcp(() => undefined);
    const { value } = await runGuest('drop-and-go-on', to(port), { ...local(port), limits: { channels: 2 } });
    expect(value).toBe('done');
  });

  test('ends with the instance', async () => {
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const port = await serveTcp((socket) => {
      socket.once('end', closed.resolve);
      socket.once('data', connected.resolve);
    });
    const { network, worker } = startGuest('fetch', to(port), local(port));
    await connected.promise;
    await worker.terminate();
    await network.close();
    await closed.promise;
  });

  test('of a body that the server does not take no more waits in the host than a bound', async () => {
    const turns = { count: 0 };
    const port = await serveTcp((socket) => void socket.pause());
    const onTurn = async () => {
      turns.count += 1;
      await new Promise((resolve) => setTimeout(resolve, turns.count === 1 ? 200 : 0));
    };
    const { value } = await runGuest('write-much', to(port, { method: { tag: 'post' } }), { ...local(port), onTurn });
    expect(turns.count).toBeGreaterThan(100);
    expect(value).toBeLessThan(16 * 1024 * 1024);
  });
});
