import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, createServerWorld, followUntil, isTurnEnd, type ServerWorld, TOKEN } from './fixtures/server-world.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string) =>
  world.raw(path, { method: 'POST', headers: { ...bearer(), ...JSON_TYPE }, body });

/** Sends all of a body before it reads, as many clients do; gives the answer. */
function sendAll(bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: world.server.port });
    const head = [
      `POST /api/sessions HTTP/1.1`,
      `host: 127.0.0.1:${world.server.port}`,
      `authorization: Bearer ${TOKEN}`,
    ];
    socket.on('error', reject);
    socket.pause();
    socket.write([...head, 'content-type: application/json', `content-length: ${bytes}`, '', ''].join('\r\n'));
    socket.write(Buffer.alloc(bytes, 'x'), () => {
      let answer = '';
      socket
        .on('data', (part) => (answer += part))
        .on('close', () => resolve(answer))
        .resume();
    });
  });
}

it('a client that sends all of a body that is too long reads why it is refused', async () => {
  expect(await sendAll(20 * 1024 * 1024)).toMatch(/^HTTP\/1\.1 413 .*the body is longer than 4194304 bytes/s);
});

it('a body without end is cut off', async () => {
  const socket = connect({ host: '127.0.0.1', port: world.server.port });
  const head = [
    `POST /api/sessions HTTP/1.1`,
    `host: 127.0.0.1:${world.server.port}`,
    `authorization: Bearer ${TOKEN}`,
  ];
  socket.write([...head, 'content-type: application/json', 'transfer-encoding: chunked', '', ''].join('\r\n'));
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const sendOn = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  await new Promise<void>((resolve) => {
    socket.on('drain', sendOn).on('error', () => undefined);
    socket.on('close', () => resolve()).resume();
    sendOn();
  });
  expect((await world.raw('/healthz')).status).toBe(200);
});

it('a body that is too long and stops is refused all the same', async () => {
  const socket = connect({ host: '127.0.0.1', port: world.server.port });
  const head = [
    `POST /api/sessions HTTP/1.1`,
    `host: 127.0.0.1:${world.server.port}`,
    `authorization: Bearer ${TOKEN}`,
  ];
  socket.write([...head, 'content-type: application/json', 'content-length: 90000000', '', ''].join('\r\n'));
  socket.write(Buffer.alloc(5 * 1024 * 1024, 'x'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

it('halves of characters are replaced, wherever they stand', async () => {
  const opened = await post('/api/sessions', '{"chatId":"\\ud800","title":"a\\udc00"}');
  expect(JSON.parse(opened.text)).toMatchObject({ chatId: '\ufffd', title: 'a\ufffd' });
  const { id } = JSON.parse(opened.text);
  expect(JSON.parse((await post('/api/sessions', '{"chatId":"\\ud800"}')).text).id).toBe(id);
  await post(`/api/sessions/${id}/messages`, '{"text":"greet \\ud800Bob","turnId":"t\\udfff"}');
  const [start] = await followUntil(world.client(), id, isTurnEnd);
  expect(start).toMatchObject({ type: 'turn-start', text: 'greet \ufffdBob', turnId: 't\ufffd' });
});

it('a body of many levels is refused, as one that nobody could read', async () => {
  const deep = `{"action":"accept","content":{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`;
  const { id } = await world.client().createSession();
  const answer = await post(`/api/sessions/${id}/forms/any`, deep);
  expect([answer.status, JSON.parse(answer.text).detail]).toEqual([400, 'the body is nested in more than 200 levels']);
});
