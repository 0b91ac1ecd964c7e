import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, createServerWorld, type ServerWorld, TOKEN } from './fixtures/server-world.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld({
    mounts: {
      '/mcp': {
        handle: (request, response, principal) =>
          void response.end(JSON.stringify({ method: request.method, ...principal })),
      },
    },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Sends bytes as they are and gives what comes until the server closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: world.server.port });
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part;
    });
    socket.on('error', () => undefined).on('close', () => resolve(answer));
    socket.write(text, 'latin1');
  });
}

const head = (line: string, ...headers: string[]) =>
  [line, ...headers, `authorization: Bearer ${TOKEN}`, 'connection: close', '', ''].join('\r\n');
const own = () => `host: 127.0.0.1:${world.server.port}`;

it.each<[what: string, request: () => string, status: number]>([
  ['no HTTP at all', () => 'hello\r\n\r\n', 400],
  ['no Host', () => head('GET /api/status HTTP/1.0'), 400],
  ['two Hosts', () => head('GET /api/status HTTP/1.1', own(), 'host: evil.example'), 403],
  [
    'a whole address of another host',
    () => head('GET http://evil.example/api/status HTTP/1.1', 'host: evil.example'),
    403,
  ],
  ['a header without end', () => head('GET /api/status HTTP/1.1', own(), `x: ${'a'.repeat(100_000)}`), 431],
  [
    'a length and chunks',
    () => head('POST /api/sessions HTTP/1.1', own(), 'content-length: 3', 'transfer-encoding: chunked'),
    400,
  ],
  ['two lengths', () => head('POST /api/sessions HTTP/1.1', own(), 'content-length: 3', 'content-length: 4'), 400],
  ['a path that is no text', () => head('GET /api/sessions/%E0%A4%A HTTP/1.1', own()), 404],
  ['a path that climbs', () => head('GET /api/sessions/../../etc/passwd HTTP/1.1', own()), 404],
  ['TRACE', () => head('TRACE / HTTP/1.1', own()), 405],
  ['CONNECT', () => head('CONNECT evil.example:443 HTTP/1.1', own()), 0],
  ['an upgrade', () => head('GET /api/status HTTP/1.1', own(), 'connection: upgrade', 'upgrade: websocket'), 200],
])('%s is refused, and the server goes on', async (_, request, status) => {
  const answer = await send(request());
  expect(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), answer.slice(0, 300)).toBe(status);
  expect((await world.raw('/healthz')).status).toBe(200);
});

it.each([
  ['{"__proto__":{"title":"x"}}', 400],
  ['{"constructor":1}', 400],
  ['null', 400],
  ['"text"', 400],
  [`{"title":"${'x'.repeat(300)}"}`, 400],
  ['[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]', 400],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
  ['{"roots":"/"}', 400],
  ['{"title":"\\ud800"}', 201],
])('the body %.40s is answered with %i', async (body, status) => {
  const headers = { ...bearer(), 'content-type': 'application/json' };
  const answer = await world.raw('/api/sessions', { method: 'POST', headers, body });
  expect(answer.status, answer.text).toBe(status);
});

it('what is mounted gets requests whose address and token are known, and no others', async () => {
  const answer = await world.raw('/mcp', { method: 'POST', headers: bearer(), body: '{}' });
  expect(JSON.parse(answer.text)).toEqual({ method: 'POST', tenant: '', user: '', isOperator: true });
  expect((await world.raw('/mcp', { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await world.raw('/mcp', { headers: { ...bearer(), host: 'evil.example' } })).status).toBe(403);
});

it('a bug tells its asker nothing, and the operator all', async () => {
  const broken = await createServerWorld({
    mounts: {
      '/mcp': {
        handle() {
          throw new Error(`the inside, and ${TOKEN}`);
        },
      },
    },
  });
  const answer = await broken.raw('/mcp', { headers: bearer() });
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([500, 'SERVER_FAILED']);
  expect(answer.text).not.toContain('the inside');
  expect(broken.warnings.join('\n')).toMatch(/a request failed: Error: the inside, and \[redacted\]/);
  await broken[Symbol.asyncDispose]();
});

it('a turn that cannot even begin, as on a full disk, is not accepted', async () => {
  const { id } = await world.client().createSession();
  const other = new Database(join(world.homeDir, 'sessions.db'));
  other.exec(`CREATE TRIGGER refuse BEFORE UPDATE OF turn_owner ON sessions WHEN new.turn_owner IS NOT NULL
    BEGIN SELECT RAISE(FAIL, 'no room'); END;`);
  const headers = { ...bearer(), 'content-type': 'application/json' };
  const body = '{"text":"greet Bob"}';
  const answer = await world.raw(`/api/sessions/${id}/messages`, { method: 'POST', headers, body });
  expect(JSON.parse(answer.text)).toMatchObject({ status: 503, title: 'Not available', code: 'SESSION_STORE_FAILED' });
  other.exec('DROP TRIGGER refuse');
  other.close();
  await expect(world.client().postMessage(id, { text: 'greet Bob' })).resolves.toMatchObject({ turnsBefore: 0 });
});
