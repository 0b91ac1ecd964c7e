import { writeFileSync } from 'node:fs';
import type { JsonObject } from '@toolpost/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMcpWorld, envelope, type McpWorld, PATIENCE, RawClient } from './fixtures/mcp-world.ts';

let world: McpWorld;
/** One for all tests that leave it as it was; those that end it, or need it new, open their own. */
let client: RawClient;
const clients: RawClient[] = [];

beforeAll(async () => {
  world = createMcpWorld();
  client = open();
  await client.initialize();
});
beforeEach(() => {
  client.lines.length = 0;
  writeFileSync(world.logFile, '');
});
afterAll(() => {
  for (const { child } of clients) if (child.exitCode === null) child.kill('SIGKILL');
  world.remove();
});

function open(options = {}): RawClient {
  const opened = new RawClient(world, options);
  clients.push(opened);
  return opened;
}

const call = (name: string, input = {}, meta = {}) => ({ name, arguments: input, _meta: meta });
const toolsOf = (result: JsonObject | undefined) => (result?.tools ?? []) as { name: string }[];

describe('the tools of a session', () => {
  it('are listed with all that MCP has a place for, under names that every client takes', async () => {
    const { result } = await client.request('tools/list');
    const tools = result?.tools as Record<string, unknown>[];
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('echo')).toEqual({
      name: 'echo',
      title: 'Echo',
      description: 'The tool echo.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
      _meta: { 'toolpost/plugin': 'tools' },
    });
    expect(byName.get('structured')).toMatchObject({ outputSchema: { required: ['temp'] } });
    expect(byName.get('draw')?._meta).not.toHaveProperty('ui');
    for (const name of byName.keys()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const alias = [...byName.keys()].find((name) => String(name).startsWith('calendar_read_'));
    const read = await client.request('tools/call', call(String(alias)));
    expect(read.result).toEqual({ content: [{ type: 'text', text: 'read' }] });
  });

  it('are called by an alias that was never listed', async () => {
    const listed = open();
    await listed.initialize();
    const { result } = await listed.request('tools/list');
    const { name } = toolsOf(result).find((tool) => tool.name.startsWith('calendar_')) ?? { name: '' };
    const { result: called } = await client.request('tools/call', call(name));
    expect(called).toEqual({ content: [{ type: 'text', text: 'read' }] });
  });

  it('are listed by the same bytes each time', async () => {
    const first = await client.request('tools/list');
    const second = await client.request('tools/list');
    const lines = client.lines.filter((line) => line.includes('"tools"') && line.includes('inputSchema'));
    const [one, other] = lines.map((line) => line.replace(/"id":\d+/, ''));
    expect(one).toBe(other);
    expect(first.result).toEqual(second.result);
  });

  it('that fail say so in a result; one that is not there is an error of the request', async () => {
    const failed = await client.request('tools/call', call('fails'));
    expect(failed.result).toMatchObject({ isError: true, content: [{ text: 'the printer is on fire' }] });
    const wrong = await client.request('tools/call', call('echo', { text: {} }));
    expect(wrong.result).toMatchObject({ isError: true, _meta: { 'toolpost/outcome': 'invalid-input' } });
    const unknown = await client.request('tools/call', call('ecko'));
    expect(unknown.error).toMatchObject({ code: -32602, message: expect.stringContaining('echo') });
  });

  it('give structured content, and the whole of what was capped as a resource of this session alone', async () => {
    const structured = await client.request('tools/call', call('structured'));
    expect(structured.result).toMatchObject({ structuredContent: { temp: 21 } });
    const { result } = await client.request('tools/call', call('novel'));
    const content = (result?.content ?? []) as { type: string; uri: string }[];
    const link = content.find(({ type }) => type === 'resource_link');
    const read = await client.request('resources/read', { uri: link?.uri });
    expect(read.result?.contents).toEqual([{ uri: link?.uri, mimeType: 'text/plain', text: 'word '.repeat(60_000) }]);
    const other = open();
    await other.initialize();
    for (const uri of [link?.uri, 'toolpost://outputs/..%2f..%2fconfig.json', 'toolpost://outputs/%ff'])
      expect((await other.request('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } });
  });

  it('that change are told of once a change', async () => {
    world.addChanging('changing');
    world.addChanging('changing2', '2');
    const changing = open();
    await changing.initialize();
    await changing.request('tools/list');
    const told = () => changing.messages.filter(({ method }) => method?.endsWith('list_changed'));
    for (const [at, ending] of ['', '2'].entries()) {
      for (let round = 0; round < 2; round++) await changing.request('tools/call', call(`change${ending}`));
      await expect.poll(() => told().length, PATIENCE).toBeGreaterThan(at);
      const { result } = await changing.request('tools/list');
      expect(JSON.stringify(result)).toContain(`"later${ending}"`);
    }
    expect(told().map(({ method }) => method)).toEqual(Array(2).fill('notifications/tools/list_changed'));
  });
});

describe('a call', () => {
  it('tells its progress and output where a token was sent, in order and before the answer', async () => {
    await client.request('tools/call', call('streams'));
    expect(client.messages.some(({ method }) => method === 'notifications/progress')).toBe(false);
    await client.request('tools/call', call('streams', {}, { progressToken: 'p' }));
    const notes = client.messages.filter(({ method }) => method === 'notifications/progress');
    expect(notes.map(({ params }) => params?.message)).toEqual(['one\n', 'first', 'two\n', undefined]);
    expect(client.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'streamed' }] } });
  });

  it('that is cancelled reaches the tool, and is not answered', async () => {
    client.send({ id: 'slow', method: 'tools/call', params: call('waits') });
    await world.logged('waiting');
    client.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });
    await world.logged('aborted');
    await client.request('ping');
    expect(client.messages.some(({ id }) => id === 'slow')).toBe(false);
  });

  it('tells what the tool logs from the level on that the client asked for', async () => {
    await client.request('tools/call', call('logs'));
    await client.request('logging/setLevel', { level: 'info' });
    await client.request('tools/call', call('logs'));
    const logs = client.messages.filter(({ method }) => method === 'notifications/message');
    expect(logs.map(({ params }) => params)).toEqual([{ level: 'warning', logger: 'logs', data: 'careful' }]);
    expect((await client.request('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
  });
});

describe('a question', () => {
  const answerWith = (result: object) => async (one: RawClient) => {
    const { id } = await one.until(({ method }) => method === 'elicitation/create');
    one.send({ id, result });
  };

  it('of a tool goes to the client that has forms, and is cancelled for one that has none', async () => {
    await client.initialize({ elicitation: {} });
    const asking = client.request('tools/call', call('asks'));
    await answerWith({ action: 'accept', content: { name: 'Ann' } })(client);
    expect((await asking).result).toEqual({ content: [{ type: 'text', text: 'accept Ann' }] });
    const plain = open();
    await plain.initialize();
    expect((await plain.request('tools/call', call('asks'))).result).toMatchObject({ content: [{ text: 'cancel ' }] });
  });

  it('is not answered by what does not fit it', async () => {
    await client.initialize({ elicitation: { form: {} } });
    const asking = client.request('tools/call', call('asks'));
    await answerWith({ action: 'accept', content: { name: 5 } })(client);
    expect(JSON.stringify((await asking).result)).not.toContain('accept');
  });

  it('whether a call may run is asked of the user, and answered for the session', async () => {
    const asked = open({ yes: false });
    await asked.initialize({ elicitation: {} });
    const calling = asked.request('tools/call', call('echo', { text: 'a\u202eb' }));
    const { params } = await asked.until(({ method }) => method === 'elicitation/create');
    expect(params?.message).toContain('echo of plugin tools');
    expect(params?.message).toContain('a\\u{202e}b');
    await answerWith({ action: 'accept', content: { answer: 'session' } })(asked);
    expect((await calling).result).toMatchObject({ content: [{ text: 'a\u202eb' }] });
    expect((await asked.request('tools/call', call('echo', { text: 'a\u202eb' }))).result).not.toHaveProperty(
      'isError',
    );
    const other = asked.request('tools/call', call('structured'));
    const second = await asked.until(
      ({ method, params }) => method === 'elicitation/create' && String(params?.message).includes('structured'),
    );
    asked.send({ id: second.id, result: { action: 'decline' } });
    expect((await other).result).toMatchObject({ isError: true, _meta: { 'toolpost/outcome': 'denied' } });
  });

  it('that nobody can answer is a deny that names what would allow it', async () => {
    const mute = open({ yes: false });
    await mute.initialize();
    const { result } = await mute.request('tools/call', call('echo', { text: 'x' }));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/--allow|--yes/) }] });
  });

  it('is given up with its call', async () => {
    await client.initialize({ elicitation: {} });
    client.send({ id: 'q', method: 'tools/call', params: call('asks') });
    const { id } = await client.until(({ method }) => method === 'elicitation/create');
    client.send({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    const told = await client.until(({ method }) => method === 'notifications/cancelled');
    expect(told.params).toMatchObject({ requestId: id });
    client.send({ id, result: { action: 'accept', content: { name: 'late' } } });
    expect((await client.request('ping')).result).toEqual({});
  });
});

describe('a client of the later era', () => {
  let later: RawClient;
  beforeAll(() => {
    later = open();
  });

  const meta = (capabilities = {}, more = {}) => ({ _meta: envelope(capabilities, more) });

  it('needs no handshake, and gets what its revision asks for', async () => {
    const { result } = await later.request('server/discover', meta());
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'toolpost' } },
    });
    expect((await later.request('tools/list', meta())).result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    const bare = await later.request('tools/list');
    expect(bare.error).toMatchObject({ code: -32602, message: expect.stringContaining('_meta') });
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'nothing'])
      expect((await later.request(method, meta())).error?.code, method).toBe(-32601);
    const future = envelope({}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
    const { error } = await later.request('tools/list', { _meta: future });
    expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } });
  });

  it('is asked by a result, and goes on where it was with the answer', async () => {
    const asked = await later.request('tools/call', { name: 'asks', ...meta({ elicitation: {} }) });
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who are you?' } } },
    });
    const retry = (more: object) =>
      later.request('tools/call', { name: 'asks', ...more, ...meta({ elicitation: {} }) });
    const requestState = asked.result?.requestState;
    const again = await retry({ requestState, inputResponses: { other: { action: 'accept', content: {} } } });
    expect(again.result).toMatchObject({ resultType: 'input_required', inputRequests: { who: {} } });
    expect(again.result?.requestState).not.toBe(requestState);
    const answers = { who: { action: 'accept', content: { name: 'Ann' } } };
    expect((await retry({ requestState, inputResponses: answers })).error?.code).toBe(-32602);
    const elsewhere = { name: 'echo', requestState: again.result?.requestState, inputResponses: answers, ...meta() };
    expect((await later.request('tools/call', elsewhere)).error?.code).toBe(-32602);
    const done = await retry({ requestState: again.result?.requestState, inputResponses: answers });
    expect(done.result).toMatchObject({ resultType: 'complete', content: [{ text: 'accept Ann' }] });
  });

  it('cannot answer ahead whether a call may run', async () => {
    const asked = open({ yes: false });
    const inputResponses = Object.fromEntries(
      ['question-1', 'question-2', 'approval'].map((key) => [key, { action: 'accept', content: { answer: 'once' } }]),
    );
    const params = { name: 'echo', arguments: { text: 'x' }, ...meta({ elicitation: {} }) };
    const { result } = await asked.request('tools/call', { ...params, inputResponses });
    expect(result).toMatchObject({ resultType: 'input_required' });
    const [key = ''] = Object.keys(result?.inputRequests as object);
    const answers = { [key]: { action: 'accept', content: { answer: 'once' } } };
    const done = await asked.request('tools/call', {
      ...params,
      requestState: result?.requestState,
      inputResponses: answers,
    });
    expect(done.result).toMatchObject({ resultType: 'complete', content: [{ text: 'x' }] });
  });

  it('that lacks what a tool needs is told which capability', async () => {
    const { error } = await later.request('tools/call', { name: 'samples', ...meta() });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
  });

  it('hears of changes that it listens for, until it cancels', async () => {
    later.send({
      id: 9,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, ...meta() },
    });
    const { params } = await later.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(params).toEqual({
      notifications: { toolsListChanged: true },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 9 },
    });
    expect(await later.end()).toBe(0);
    expect(later.messages.at(-1)).toMatchObject({ id: 9, result: { resultType: 'complete' } });
  });
});

describe('a batch', () => {
  const messages = (...all: object[]) => `${JSON.stringify(all.map((one) => ({ jsonrpc: '2.0', ...one })))}\n`;
  const echo = (id: number) => ({ id, method: 'tools/call', params: call('echo', { text: `echo ${id}` }) });

  it('is taken from a client of the one revision that has it, message by message', async () => {
    const batching = open();
    await batching.request('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} });
    batching.write(
      messages({ method: 'notifications/initialized' }, echo(71), { id: 72, method: 'nothing' }, { id: 73 }),
    );
    batching.write(messages({ id: 74, method: 'initialize', params: {} }));
    const answerTo = (wanted: number) => batching.until(({ id }) => id === wanted);
    expect((await answerTo(71)).result).toMatchObject({ content: [{ text: 'echo 71' }] });
    expect((await answerTo(72)).error?.code).toBe(-32601);
    expect((await answerTo(73)).error?.code).toBe(-32600);
    expect((await answerTo(74)).error?.message).toContain('by itself');
    batching.write('[]\n');
    await batching.until(({ error }) => error?.message.startsWith('a batch holds') === true);
    expect((await batching.request('ping')).result).toEqual({});
  });

  it('is refused of any other', async () => {
    client.write(messages(echo(81)));
    const refused = await client.until(({ error }) => error !== undefined);
    expect(refused.error).toMatchObject({ code: -32600, message: expect.stringContaining('2025-03-26') });
  });
});

describe('what plugins contribute beside tools', () => {
  it('is listed and read: resources, templates, prompts, completions', async () => {
    const { result } = await client.request('resources/list');
    expect(result?.resources).toEqual([{ uri: 'notes://today', name: 'today', mimeType: 'text/plain' }]);
    const read = async (uri: string) => (await client.request('resources/read', { uri })).result?.contents;
    expect(await read('notes://today')).toEqual([{ uri: 'notes://today', mimeType: 'text/plain', text: 'milk' }]);
    expect(await read('notes://monday/a/b')).toEqual([{ uri: 'notes://monday/a/b', text: 'monday:a/b' }]);
    expect(await read('ui://toolpost/tools/draw')).toBeUndefined();
    const prompt = await client.request('prompts/get', { name: 'greet', arguments: { name: 'Bob' } });
    expect(prompt.result).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Bob.' } }],
    });
    expect((await client.request('prompts/get', { name: 'greet' })).error?.message).toContain('"name"');
    const complete = async (ref: object, name: string, value: string) =>
      (await client.request('completion/complete', { ref, argument: { name, value } })).result?.completion;
    const template = { type: 'ref/resource', uri: 'notes://{day}/{+path}' };
    expect(await complete(template, 'day', 't')).toEqual({ values: ['tuesday', 'thursday'], total: 2, hasMore: false });
    expect(await complete({ type: 'ref/prompt', name: 'greet' }, 'name', '')).toMatchObject({
      total: 150,
      hasMore: true,
    });
  });
});
