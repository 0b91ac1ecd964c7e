import type { JsonObject } from '@toolpost/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type StartedPlugin, startPlugin } from './fixtures/start-plugin.ts';

/** What only one test uses. */
const started: StartedPlugin[] = [];

afterEach(() => stopAll(started));

async function stopAll(plugins: StartedPlugin[]): Promise<void> {
  for (const { child, ended } of plugins.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
}

/** A process that the test itself ends. */
function start(): StartedPlugin {
  const plugin = startPlugin('everything.ts');
  started.push(plugin);
  return plugin;
}

async function activate(plugin: StartedPlugin, version: 1 | 2, settings: JsonObject = {}): Promise<StartedPlugin> {
  const protocolVersions = version === 2 ? [1, 2] : undefined;
  plugin.send({ method: 'activate', params: { pluginId: 'everything', protocolVersions } });
  if (version === 2) {
    const { id } = await plugin.next(({ method }) => method === 'settings_get');
    plugin.send({ id, result: settings });
  }
  await plugin.next(({ tools }) => Array.isArray(tools));
  return plugin;
}

const call = (id: string | undefined, toolName: string, input: unknown = {}, context?: JsonObject): JsonObject => ({
  ...(id !== undefined && { id }),
  method: 'execute_tool',
  params: { toolName, input: JSON.stringify(input), ...(context && { context }) },
});

const withId = (id: string) => (message: JsonObject) =>
  message.id === id && !('output' in message || 'progress' in message);

describe('version 1', () => {
  let plugin: StartedPlugin;
  beforeAll(async () => {
    plugin = await activate(startPlugin('everything.ts'), 1);
  });
  afterAll(() => stopAll([plugin]));

  it('answers without ids, in the order of the calls', async () => {
    plugin.send(call(undefined, 'slow', { ms: 50, tag: 'first' }), call(undefined, 'echo', { text: 'second "😀"\n' }));
    expect(await plugin.next()).toEqual({ result: 'first' });
    expect(await plugin.next()).toEqual({ result: 'second "😀"\n' });
  });

  it('declares tools and hooks, and no version', async () => {
    const fresh = start();
    fresh.send({ method: 'activate', params: { pluginId: 'everything' } });
    const answer = await fresh.next();
    expect(answer).toMatchObject({ hooks: [{ event: 'PreToolUse', matcher: 'rm_*' }, { event: 'PreToolUse' }] });
    expect(answer).not.toHaveProperty('protocolVersion');
    expect(Array.isArray(answer.tools) && answer.tools[0]).toEqual({
      name: 'echo',
      description: 'Gives its text back.',
      inputSchema: { type: 'object', properties: { text: { type: 'string', description: '' } }, required: ['text'] },
    });
  });

  it.each([
    ['a throw', call(undefined, 'throws'), { error: 'the printer is on fire' }],
    ['an error result', call(undefined, 'expected_error'), { error: 'file not found' }],
    ['a rich result', call(undefined, 'rich'), { result: 'text' }],
    ['an unknown tool', call(undefined, 'xyz'), { error: 'Unknown tool: xyz' }],
    ['an unknown method', { method: 'dance' }, { error: 'unknown method: dance' }],
    ['enrich', { method: 'enrich', params: { enricherName: 'x' } }, { error: 'enrich not implemented' }],
    ['web_ui_action', { method: 'web_ui_action' }, { error: 'web_ui_action not implemented' }],
    [
      'a hook that nobody wants',
      { method: 'hook', params: { event: 'SessionStart' } },
      { hook_result: { decision: 'allow' } },
    ],
    [
      'a denied tool',
      { method: 'hook', params: { event: 'PreToolUse', toolName: 'rm_all', toolInput: '{}' } },
      { hook_result: { decision: 'deny', message: 'not that' } },
    ],
  ])('answers %s', async (_what, message, answer) => {
    plugin.send(message);
    expect(await plugin.next()).toEqual(answer);
  });

  it('answers bad JSON and bad input, skips empty lines, and goes on', async () => {
    plugin.child.stdin.write('\r\n{"method":\n[1]\n');
    expect(await plugin.next()).toEqual({ error: expect.stringMatching(/^invalid JSON: /) });
    expect(await plugin.next()).toEqual({ error: expect.stringMatching(/^invalid JSON: /) });
    plugin.send({ method: 'execute_tool', params: { toolName: 'echo', input: '{"text":' } });
    expect(await plugin.next()).toEqual({ error: expect.stringMatching(/^parse tool input: /) });
    plugin.send(call(undefined, 'echo', { text: 'still here' }));
    expect(await plugin.next()).toEqual({ result: 'still here' });
  });

  it('is refused a call before activate', async () => {
    const fresh = start();
    fresh.send(call(undefined, 'echo', { text: 'x' }));
    expect(await fresh.next()).toEqual({ error: 'the plugin is not active' });
  });

  it('answers everything that was piped in before the end', async () => {
    const fresh = start();
    fresh.send(
      { method: 'activate', params: {} },
      call(undefined, 'slow', { ms: 30, tag: 'a' }),
      call(undefined, 'echo', { text: 'b' }),
    );
    fresh.send({ method: 'deactivate' });
    fresh.child.stdin.end();
    await fresh.next();
    expect([await fresh.next(), await fresh.next()]).toEqual([{ result: 'a' }, { result: 'b' }]);
    expect(await fresh.ended).toBe(0);
  });
});

describe('version 2', () => {
  let plugin: StartedPlugin;
  beforeAll(async () => {
    plugin = await activate(startPlugin('everything.ts'), 2, { unit: 'c' });
  });
  afterAll(() => stopAll([plugin]));

  it('is taken when the host offers it', async () => {
    const fresh = start();
    fresh.send({ method: 'activate', params: { pluginId: 'everything', protocolVersions: [1, 2] } });
    const { id } = await fresh.next(({ method }) => method === 'settings_get');
    fresh.send({ id, error: 'no settings here' });
    expect(await fresh.next()).toMatchObject({ protocolVersion: 2 });
  });

  it('runs calls at the same time', async () => {
    plugin.send(call('1', 'until_cancelled'), call('2', 'echo', { text: 'quick' }));
    expect(await plugin.next()).toEqual({ id: '2', result: 'quick' });
    plugin.send({ method: 'cancel', params: { id: '1' } });
    expect(await plugin.next()).toEqual({ id: '1', result: 'stopped' });
  });

  it('streams output and progress before the answer', async () => {
    plugin.send(call('7', 'stream'));
    expect([await plugin.next(), await plugin.next(), await plugin.next(), await plugin.next()]).toEqual([
      { id: '7', output: { stream: 'stdout', text: 'one\n' } },
      { id: '7', output: { stream: 'stderr', text: 'two\n' } },
      { id: '7', progress: { progress: 1, total: 2, message: 'half' } },
      { id: '7', result: 'streamed' },
    ]);
  });

  it.each([
    ['a throw', 'throws', { error: 'the printer is on fire' }],
    [
      'an error result',
      'expected_error',
      { result: { content: [{ type: 'text', text: 'file not found' }], isError: true } },
    ],
    [
      'a rich result',
      'rich',
      {
        result: {
          content: [{ type: 'text', text: 'text' }],
          structuredContent: { a: 1 },
          metadata: { kind: 'k' },
          isError: false,
        },
      },
    ],
    ['an unknown tool', 'xyz', { error: 'Unknown tool: xyz' }],
  ])('answers %s with its id', async (_what, toolName, answer) => {
    plugin.send(call('9', toolName));
    expect(await plugin.next()).toEqual({ id: '9', ...answer });
  });

  it('tells the tool who calls', async () => {
    const context = {
      sessionId: 's',
      channel: 'web',
      chatId: 'c',
      tenant: 'acme',
      user: 'eve',
      roots: ['/w'],
      callId: 'call_1',
    };
    plugin.send(call('1', 'context', { a: 1 }, context));
    const { result } = await plugin.next();
    expect(JSON.parse(String(result))).toEqual({
      toolCallId: 'call_1',
      input: '{"a":1}',
      session: { id: 's', channel: 'web', chatId: 'c', tenant: 'acme', user: 'eve' },
      roots: ['/w'],
      settings: { unit: 'c' },
    });
  });

  it('asks the host for storage and the user, in the name of the call', async () => {
    plugin.send(call('1', 'remember'), call('2', 'asks'));
    const set = await plugin.next(({ method }) => method === 'storage_set');
    expect(set.params).toEqual({ callId: '1', key: 'k', value: { n: 1 } });
    plugin.send({ id: set.id, result: null });
    const get = await plugin.next(({ method }) => method === 'storage_get');
    plugin.send({ id: get.id, result: { n: 1 } });
    expect(await plugin.next(withId('1'))).toEqual({ id: '1', result: '{"n":1}' });
    const ask = await plugin.next(({ method }) => method === 'ask');
    expect(ask.params).toEqual({ callId: '2', message: 'Which?', schema: { type: 'object', properties: {} } });
    plugin.send({ id: ask.id, result: { action: 'accept', content: { a: 1 } } });
    expect(await plugin.next(withId('2'))).toEqual({ id: '2', result: '{"action":"accept","content":{"a":1}}' });
  });

  it('fails the call whose request the host refuses', async () => {
    plugin.send(call('1', 'remember'));
    const { id } = await plugin.next(({ method }) => method === 'storage_set');
    plugin.send({ id, error: 'read only' });
    expect(await plugin.next(withId('1'))).toEqual({ id: '1', error: 'storage_set: read only' });
  });

  it('answers a hook with its id, also while a call runs', async () => {
    plugin.send(call('1', 'until_cancelled'), {
      id: '2',
      method: 'hook',
      params: { event: 'PreToolUse', toolName: 'rm_all', toolInput: '{}' },
    });
    expect(await plugin.next()).toEqual({ id: '2', hook_result: { decision: 'deny', message: 'not that' } });
    plugin.send({ method: 'cancel', params: { id: '1' } });
    expect(await plugin.next()).toEqual({ id: '1', result: 'stopped' });
  });

  it('keeps two calls with one id apart', async () => {
    plugin.send(call('1', 'until_cancelled'), call('1', 'echo', { text: 'x' }));
    expect(await plugin.next()).toEqual({ id: '1', error: 'the id "1" is in use by a call in flight' });
    plugin.send({ method: 'cancel', params: { id: '1' } });
    expect(await plugin.next()).toEqual({ id: '1', result: 'stopped' });
  });

  it('answers a thousand calls that come at once', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => String(index));
    plugin.send(...ids.map((id) => call(id, 'echo', { text: `n${id}` })));
    for (const id of ids) expect(await plugin.next(withId(id))).toEqual({ id, result: `n${id}` });
  });
});

describe('the process', () => {
  it('keeps stdout for the protocol: console.log and stray writes go to stderr', async () => {
    const plugin = await activate(start(), 2);
    plugin.send(call('1', 'noisy'));
    expect(await plugin.next()).toEqual({ id: '1', result: 'quiet' });
    plugin.child.stdin.end();
    await plugin.ended;
    expect(plugin.stderr()).toContain('{"result":"not the answer"}\nstray\n');
  });

  it('ends at the end of stdin although a timer is alive, and deactivates first', async () => {
    const plugin = await activate(start(), 2);
    plugin.child.stdin.end();
    expect(await plugin.ended).toBe(0);
    expect(plugin.stderr()).toContain('deactivated');
  });

  it('ends at the end of stdin although a call never ends by itself', async () => {
    const plugin = await activate(start(), 2);
    plugin.send(call('1', 'until_cancelled'));
    plugin.child.stdin.end();
    expect(await plugin.next()).toEqual({ id: '1', result: 'stopped' });
    expect(await plugin.ended).toBe(0);
  });

  it('ends on deactivate, and aborts what runs', async () => {
    const plugin = await activate(start(), 2);
    plugin.send(call('1', 'until_cancelled'), { method: 'deactivate' });
    expect(await plugin.next()).toEqual({ id: '1', result: 'stopped' });
    expect(await plugin.ended).toBe(0);
  });

  it('gives the whole of a large last answer to a host that reads it late', async () => {
    const plugin = await activate(start(), 2);
    plugin.child.stdout.pause();
    plugin.send(call('1', 'big', { bytes: 5_000_000 }), { method: 'deactivate' });
    const answer = plugin.next();
    plugin.child.stdout.resume();
    expect(String((await answer).result)).toHaveLength(5_000_000);
    expect(await plugin.ended).toBe(0);
  });

  it('ends without a word when nobody reads its answers any more', async () => {
    const plugin = await activate(start(), 2);
    plugin.child.stdout.destroy();
    plugin.send(call('1', 'big', { bytes: 200_000 }), call('2', 'echo', { text: 'x' }));
    expect(await plugin.ended).toBe(0);
    expect(plugin.stderr()).toBe('');
  });
});
