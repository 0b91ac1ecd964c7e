import { request as requestOver } from 'node:http';
import { connect } from 'node:net';
import type { JsonObject } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Host } from '../host.ts';
import { createMcpWorld, envelope, type McpWorld, PATIENCE, type ServerMessage } from './fixtures/mcp-world.ts';
import type { McpHttpServer } from './http/serve-http.ts';
import { serveMcpHttp } from './serve-mcp-http.ts';

const TOKEN = 'the-token-of-the-operator';
const ANN = 'the-token-of-ann-at-acme';

let world: McpWorld;
let host: Host;
let server: McpHttpServer;

beforeAll(async () => {
  world = createMcpWorld();
  world.write('home/config.json', { tenants: { acme: { users: { ann: { tokens: [ANN] } } } } });
  process.env.TOOL_LOG = world.logFile;
  world.addChanging('changing');
  world.addChanging('changing2', '2');
  const environment = { ...world.environment, TOOLPOST_TOKEN: TOKEN };
  host = await world.open({ environment });
  server = await serveMcpHttp({ host, token: TOKEN, port: 0, channel: 'mcp', environment });
});
afterAll(async () => {
  await server.close();
  await host.close();
  world.remove();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly message: ServerMessage;
}

const COMMON = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const bearer = (token = TOKEN) => ({ ...COMMON, authorization: `Bearer ${token}` });

function send(method: string, headers: Record<string, string>, body = '', path = '/mcp'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = requestOver({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        const last = text.includes('data: ') ? text.slice(text.lastIndexOf('data: ') + 6) : text;
        const message = last === '' ? {} : JSON.parse(last);
        resolve({ status, headers: response.headers, text, message });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const rpc = (method: string, params: JsonObject = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** A request of the later era, with the headers that it needs. */
function modern(method: string, params: JsonObject = {}, headers: Record<string, string> = {}): Promise<Answer> {
  const { _meta = envelope(), ...rest } = params;
  const name = typeof rest.name === 'string' ? { 'mcp-name': rest.name } : {};
  const standard = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
  return send('POST', { ...bearer(), ...standard, ...headers }, rpc(method, { ...rest, _meta }));
}

const listenHeaders = {
  ...bearer(),
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};

/** A stream of server-sent events that stays open: of a session, or the answer to a request. */
function openStream(headers: Record<string, string>, body?: string, port = server.port) {
  let text = '';
  const method = body === undefined ? 'GET' : 'POST';
  const sent = requestOver({ host: '127.0.0.1', port, path: '/mcp', method, headers }, (response) => {
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    response.on('error', () => undefined);
  });
  sent.on('error', () => undefined);
  sent.end(body);
  const timesOf = (words: string) => text.split(words).length - 1;
  return {
    text: () => text,
    timesOf,
    until: (words: string, times = 1) => expect.poll(() => timesOf(words), PATIENCE).toBeGreaterThanOrEqual(times),
    close: () => sent.destroy(),
  };
}

/** The headers of a new session of the earlier era. */
async function openSession(token = TOKEN, protocolVersion = '2025-11-25'): Promise<Record<string, string>> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const { headers } = await send('POST', bearer(token), rpc('initialize', params));
  return { ...bearer(token), 'mcp-session-id': String(headers['mcp-session-id']) };
}

describe('who is answered', () => {
  it.each([
    ['no token', { ...COMMON }, 401],
    ['another token', bearer('the-token-of-the-operatoR'), 401],
    ['another name of this machine', { ...bearer(), host: 'evil.example' }, 403],
    ['a page of another origin', { ...bearer(), origin: 'http://evil.example' }, 403],
    ['a form', { ...bearer(), 'content-type': 'text/plain' }, 415],
  ])('nobody with %s', async (_, headers, status) => {
    const answer = await send('POST', headers as Record<string, string>, rpc('initialize'));
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('only at /mcp, and only the methods that there are', async () => {
    expect((await send('POST', bearer(), '{}', '/')).status).toBe(404);
    expect(await send('PUT', bearer())).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } });
  });

  it('nobody whose body has more than 16 MiB', async () => {
    expect((await send('POST', bearer(), 'x'.repeat(17 * 1024 * 1024))).status).toBe(413);
  });
});

describe('a session of the earlier era', () => {
  it('is its token owner’s alone, and ends when it is deleted', async () => {
    const headers = await openSession();
    expect((await send('POST', headers, rpc('tools/list'))).message.result).toHaveProperty('tools');
    const id = headers['mcp-session-id'] ?? '';
    expect((await send('POST', { ...bearer(ANN), 'mcp-session-id': id }, rpc('tools/list'))).status).toBe(404);
    expect((await send('POST', bearer(), rpc('tools/list'))).status).toBe(400);
    expect((await send('DELETE', headers)).status).toBe(204);
    expect((await send('POST', headers, rpc('tools/list'))).status).toBe(404);
  });

  it('gets JSON where nothing comes before the answer, and a stream where something does', async () => {
    const headers = await openSession();
    const plain = await send('POST', headers, rpc('tools/call', { name: 'streams', arguments: {} }));
    expect(plain.headers['content-type']).toBe('application/json');
    const params = { name: 'streams', arguments: {}, _meta: { progressToken: 7 } };
    const streamed = await send('POST', headers, rpc('tools/call', params));
    expect(streamed.headers['content-type']).toBe('text/event-stream');
    expect(streamed.text.match(/notifications\/progress/g)).toHaveLength(4);
    expect(streamed.message.result).toMatchObject({ content: [{ text: 'streamed' }] });
  });

  it('goes on with the stream of an answer where its connection was cut', async () => {
    const headers = await openSession();
    const params = { name: 'lingers', arguments: { until: 'go' }, _meta: { progressToken: 7 } };
    const cut = openStream(headers, rpc('tools/call', params));
    await cut.until('half way');
    const [, id = ''] = /^id: (\S+)$/m.exec(cut.text()) ?? [];
    expect(cut.text()).toMatch(/^id: \d+-0\nretry: \d+\ndata: \n\n/);
    cut.close();
    await world.logged('lingers');
    world.write('go', '');
    const rest = openStream({ ...headers, accept: 'text/event-stream', 'last-event-id': id });
    await rest.until('"result":');
    expect(rest.timesOf('half way')).toBe(1);
    const ids = [...rest.text().matchAll(/^id: (\S+)$/gm)].map(([, one = '']) => one);
    const again = openStream({ ...headers, accept: 'text/event-stream', 'last-event-id': ids.at(-2) ?? '' });
    await again.until('"result":');
    expect(again.timesOf('id: ')).toBe(1);
    const others = openStream({ ...(await openSession()), accept: 'text/event-stream', 'last-event-id': id });
    await others.until(':');
    expect(others.timesOf('half way')).toBe(0);
    others.close();
  });

  it('acknowledges what needs no answer, and refuses what is no message', async () => {
    const headers = await openSession();
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await send('POST', headers, note)).toMatchObject({ status: 202, text: '' });
    expect((await send('POST', headers, 'nonsense')).message.error?.code).toBe(-32700);
    expect((await send('POST', headers, '[]')).message.error?.code).toBe(-32600);
    expect((await send('GET', { ...headers, accept: 'application/json' })).status).toBe(406);
  });
});

describe('a protocol version in the header', () => {
  const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const ofVersion = (version: string) => ({ 'mcp-protocol-version': version });

  it.each(['1999-01-01', '2025-11-26', 'not-a-version', '2027-01-01'])(
    'that nobody speaks is refused: %s',
    async (version) => {
      const headers = { ...(await openSession()), ...ofVersion(version) };
      for (const body of [rpc('tools/list'), note, JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }), `[${note}]`])
        expect((await send('POST', headers, body)).status, body).toBe(400);
      expect((await send('GET', { ...headers, accept: 'text/event-stream' })).status).toBe(400);
      expect((await send('DELETE', headers)).status).toBe(400);
      const known = { ...headers, ...ofVersion('2025-06-18') };
      expect((await send('POST', known, rpc('tools/list'))).message.result).toHaveProperty('tools');
    },
  );
});

describe('a batch', () => {
  const echo = (id: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: `${id}` } },
  });
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const batch = JSON.stringify([note, echo('one'), { jsonrpc: '2.0', id: 7 }, echo('two')]);
  const answers = [
    { id: 'one', result: { content: [{ text: 'one' }] } },
    { id: 7, error: { code: -32600 } },
    { id: 'two', result: { content: [{ text: 'two' }] } },
  ];

  it('of a client of the one revision that has it is answered as a stream, or as a list', async () => {
    const headers = await openSession(TOKEN, '2025-03-26');
    const streamed = await send('POST', headers, batch);
    expect(streamed.headers['content-type']).toBe('text/event-stream');
    const events = [...streamed.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
    expect(events).toHaveLength(3);
    for (const answer of answers) expect(events).toContainEqual(expect.objectContaining({ id: answer.id }));
    const listed = await send('POST', { ...headers, accept: 'application/json' }, batch);
    expect(listed.headers['content-type']).toBe('application/json');
    const list = JSON.parse(listed.text) as { id: unknown }[];
    for (const answer of answers) expect(list.find(({ id }) => id === answer.id)).toMatchObject(answer);
    expect(await send('POST', headers, JSON.stringify([note, note]))).toMatchObject({ status: 202, text: '' });
  });

  it('is refused of others, and where it is too long', async () => {
    const refusal = { status: 400, message: { error: { code: -32600 } } };
    expect(await send('POST', await openSession(), batch)).toMatchObject(refusal);
    const headers = await openSession(TOKEN, '2025-03-26');
    expect(await send('POST', headers, JSON.stringify(Array(1001).fill(note)))).toMatchObject(refusal);
    expect((await send('POST', headers, '[{]')).message.error?.code).toBe(-32700);
  });
});

describe('tools that change', () => {
  it('are told of once a change to every client: on its stream, or when it opens one', async () => {
    const [first, second] = [await openSession(), await openSession()];
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const headers of [first, second]) await send('POST', headers, note);
    const streams = [first, second].map((headers) => openStream(headers));
    const listening = openStream(
      listenHeaders,
      rpc('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: envelope() }),
    );
    const late = await openSession();
    await send('POST', late, note);
    await listening.until('acknowledged');
    // The lists as they are now have been learnt once the calls that start the plugin are through.
    await modern('tools/list');
    const change = async (name: string) => {
      for (let at = 0; at < 2; at++) await modern('tools/call', { name });
    };
    await change('change');
    for (const stream of [...streams, listening]) await stream.until('tools/list_changed');
    const lateStream = openStream(late);
    await lateStream.until('tools/list_changed');
    await change('change2');
    for (const stream of [...streams, listening, lateStream]) {
      await stream.until('tools/list_changed', 2);
      expect(stream.timesOf('tools/list_changed')).toBe(2);
      stream.close();
    }
  });
});

describe('a request of the later era', () => {
  it('needs no session, and is checked before it is run', async () => {
    expect((await modern('tools/call', { name: 'echo', arguments: { text: 'hi' } })).message.result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'hi' }],
    });
    expect(await modern('nothing')).toMatchObject({ status: 404, message: { error: { code: -32601 } } });
    expect(await modern('tools/list', { _meta: {} })).toMatchObject({
      status: 400,
      message: { error: { code: -32602 } },
    });
    for (const headers of [{ 'mcp-method': 'tools/call' }, { 'mcp-protocol-version': '2025-11-25' }])
      expect(await modern('tools/list', {}, headers)).toMatchObject({
        status: 400,
        message: { error: { code: -32020 } },
      });
    const name = await modern('tools/call', { name: 'echo' }, { 'mcp-name': 'fails' });
    expect(name.message.error?.code).toBe(-32020);
  });

  it('that its client gives up is cancelled', async () => {
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n`;
    const body = rpc('tools/call', { name: 'waits', arguments: {}, _meta: envelope() });
    const headers = {
      ...bearer(),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'waits',
    };
    const lines = Object.entries({ ...headers, 'content-length': String(body.length) }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.write(`${head}${lines.join('')}\r\n${body}`);
    await world.logged('waiting');
    socket.destroy();
    await world.logged('aborted');
  });

  it('cannot go on with what another’s request waits for', async () => {
    const _meta = envelope({ elicitation: {} });
    const asked = await modern('tools/call', { name: 'asks', _meta });
    const requestState = asked.message.result?.requestState;
    const inputResponses = { who: { action: 'accept', content: { name: 'Eve' } } };
    const retry = { name: 'asks', requestState, inputResponses, _meta };
    const other = await modern('tools/call', retry, { authorization: `Bearer ${ANN}` });
    expect(other.message.error?.code).toBe(-32602);
    expect((await modern('tools/call', retry)).message.result).toMatchObject({ content: [{ text: 'accept Eve' }] });
  });

  it('that listens is told when the server ends', async () => {
    const own = await serveMcpHttp({
      host,
      token: TOKEN,
      port: 0,
      channel: 'mcp',
      environment: { TOOLPOST_TOKEN: TOKEN },
    });
    const params = { notifications: { toolsListChanged: true }, _meta: envelope() };
    const listening = openStream(listenHeaders, rpc('subscriptions/listen', params), own.port);
    await listening.until('notifications/subscriptions/acknowledged');
    await own.close();
    await listening.until('"resultType":"complete"');
  });
});
