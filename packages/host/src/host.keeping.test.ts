import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CallRecord, EventBody, JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from './call-path/call-options.ts';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import { open } from './fixtures/open-host.ts';

const RUNTIMES = ['native', 'stdio', 'python'] as const;
type Runtime = (typeof RUNTIMES)[number];

/** One plugin with a tool for each thing that the host lends, in TypeScript and in Python. */
const TYPESCRIPT = `
import { defineTool, definePlugin, serveStdio } from '@toolpost/sdk';
const storeOf = ({ storage }, shared) => (shared ? storage.shared : storage);
const tool = (name, execute) => defineTool({ name: 'ID_' + name, description: name, execute });
const heard = [];
const plugin = definePlugin({
  tools: [
    tool('set', async ({ key, value, shared }, context) => { await storeOf(context, shared).set(key, value); return 'set'; }),
    tool('get', async ({ key, shared }, context) => ({ found: (await storeOf(context, shared).get(key)) ?? null })),
    tool('delete', async ({ key, shared }, context) => { await storeOf(context, shared).delete(key); return 'deleted'; }),
    tool('keys', async ({ prefix, shared }, context) => ({ keys: await storeOf(context, shared).keys(prefix) })),
    tool('call', async ({ name, input }, { callTool }) => { const { outcome, text, isError } = await callTool(name, input); return { outcome, text, isError }; }),
    tool('publish', async ({ topic, data }, { publish }) => { await publish(topic, data); return 'published'; }),
    tool('heard', () => ({ heard })),
    tool('ask', async ({ message }, { ask }) => ({ ...(await ask({ message, schema: { type: 'object', properties: { name: { type: 'string' } } } })) })),
  ],
  HOOKS
  SUBSCRIPTIONS
});`;
const SUBSCRIPTIONS = `subscriptions: [{ topic: 'news/*', async handler({ topic, data, from, tenant }, { storage, publish }) {
    if (data?.fail) throw new Error('no such news');
    heard.push({ topic, data, from, tenant });
    await storage.set('news', data);
    if (data?.echo) await publish('news/echo', { echo: true });
  } }],`;
const PYTHON = `
import toolpost
heard = []
def store_of(ctx, shared): return ctx.storage.shared if shared else ctx.storage
def tool(name): return toolpost.tool(name='ID_' + name, description=name)
@tool('set')
def set_(ctx, key: str, value=None, shared: bool = False):
    store_of(ctx, shared).set(key, value)
    return 'set'
@tool('get')
def get(ctx, key: str, shared: bool = False): return {'found': store_of(ctx, shared).get(key)}
@tool('delete')
def delete(ctx, key: str, shared: bool = False):
    store_of(ctx, shared).delete(key)
    return 'deleted'
@tool('keys')
def keys(ctx, prefix: str = '', shared: bool = False): return {'keys': store_of(ctx, shared).keys(prefix)}
@tool('call')
def call(ctx, name: str, input: dict = None):
    called = ctx.call_tool(name, input)
    return {'outcome': called.outcome, 'text': called.text, 'isError': called.is_error}
@tool('publish')
def publish(ctx, topic: str, data=None):
    ctx.publish(topic, data)
    return 'published'
@tool('heard')
def heard_(): return {'heard': heard}
@tool('ask')
def ask(ctx, message: str):
    answer = ctx.ask(message, {'type': 'object', 'properties': {'name': {'type': 'string'}}})
    return {'action': answer.action, **({'content': answer.content} if answer.content else {})}
HOOKS
SUBSCRIPTIONS
toolpost.serve()
`;
const PYTHON_SUBSCRIPTIONS = `
@toolpost.subscribe('news/*')
def on_news(message, ctx):
    if isinstance(message.data, dict) and message.data.get('fail'): raise toolpost.ToolError('no such news')
    heard.append({'topic': message.topic, 'data': message.data, 'from': message.sender, 'tenant': message.tenant})
    ctx.storage.set('news', message.data)
    if isinstance(message.data, dict) and message.data.get('echo'): ctx.publish('news/echo', {'echo': True})
`;
const EVERYTHING = [
  'tools.register',
  'tools.call',
  'storage.private',
  'storage.shared',
  'bus.plugin',
  'bus.read',
  'bus.write',
];

interface Given {
  readonly permissions?: readonly string[];
  readonly subscribes?: boolean;
  readonly hooks?: boolean;
}

function add(world: HostWorld, runtime: Runtime, id: string, given: Given = {}): void {
  const { permissions = EVERYTHING, subscribes = false, hooks = false } = given;
  const more: JsonObject = { permissions };
  if (runtime === 'python') {
    const hook = "@toolpost.hook('PreToolUse')\ndef on_call(event): return toolpost.deny('never')";
    const source = PYTHON.replaceAll('ID_', `${id}_`)
      .replace('HOOKS', hooks ? hook : '')
      .replace('SUBSCRIPTIONS', subscribes ? PYTHON_SUBSCRIPTIONS : '');
    world.addNative(id, '', { ...more, runtime: 'stdio', entry: 'python3 main.py' });
    world.write(`plugins/${id}/main.py`, source);
    return;
  }
  const hook = "hooks: [{ event: 'PreToolUse', handler: () => ({ decision: 'deny', message: 'never' }) }],";
  const source = TYPESCRIPT.replaceAll('ID_', `${id}_`)
    .replace('HOOKS', hooks ? hook : '')
    .replace('SUBSCRIPTIONS', subscribes ? SUBSCRIPTIONS : '');
  if (runtime === 'native') world.addNative(id, `${source}\nexport default plugin;`, more);
  else {
    const sdk = JSON.stringify(import.meta.resolve('@toolpost/sdk'));
    const served = source.replace("'@toolpost/sdk'", sdk);
    world.addNative(id, `${served}\nawait serveStdio(plugin);`, { ...more, runtime: 'stdio', entry: 'node index.mjs' });
  }
}

const pythonDir = fileURLToPath(new URL('../../../python', import.meta.url));

async function openWorld(world: HostWorld) {
  const { host, session } = await open(world, { pythonDir });
  const call = (name: string, input: JsonObject = {}, options?: CallOptions): Promise<CallRecord> =>
    callIn(host, session, name, input, options);
  return { host, session, call };
}

describe.each(RUNTIMES)('a %s plugin', (runtime) => {
  test('keeps values for itself and shares some, by tenant, within its quota', async () => {
    const world = createHostWorld();
    add(world, runtime, 'p');
    add(world, 'native', 'other');
    world.write('home/config.json', { limits: { p: { storageBytes: 50 } } });
    const { host, call } = await openWorld(world);
    expect(await call('p_set', { key: 'k', value: 'x'.repeat(60) })).toMatchObject({
      ...{ outcome: 'failed', text: expect.stringContaining('limits.p.storageBytes') },
    });
    await call('p_set', { key: 'a/1', value: { n: [1] } });
    await call('p_set', { key: 'a/2', value: null });
    await call('p_set', { key: 'a/1', value: 'for all', shared: true });
    expect((await call('p_get', { key: 'a/1' })).structuredContent).toEqual({ found: { n: [1] } });
    expect((await call('p_keys', { prefix: 'a/' })).structuredContent).toEqual({ keys: ['a/1', 'a/2'] });
    expect((await call('other_get', { key: 'a/1', shared: true })).structuredContent).toEqual({ found: 'for all' });
    expect((await call('other_keys')).structuredContent).toEqual({ keys: [] });
    await call('p_delete', { key: 'a/1' });
    expect((await call('p_keys')).structuredContent).toEqual({ keys: ['a/2'] });
    const acme = host.openSession({ tenant: 'acme' });
    expect((await callIn(host, acme, 'p_keys')).structuredContent).toEqual({ keys: [] });
    expect((await callIn(host, acme, 'p_keys', { shared: true })).structuredContent).toEqual({ keys: [] });
  });

  test('without a permission is refused what it asks for, and the error names it', async () => {
    const world = createHostWorld();
    const lacking = ['storage.private', 'storage.shared', 'tools.call', 'bus.plugin'];
    add(world, runtime, 'p', { permissions: EVERYTHING.filter((one) => !lacking.includes(one)) });
    add(world, runtime, 'q', { permissions: EVERYTHING.filter((one) => one !== 'bus.write') });
    const { call } = await openWorld(world);
    const cases: [string, string, JsonObject][] = [
      ['storage.private', 'p_set', { key: 'k', value: 1 }],
      ['storage.private', 'p_keys', {}],
      ['storage.shared', 'p_get', { key: 'k', shared: true }],
      ['storage.shared', 'p_delete', { key: 'k', shared: true }],
      ['tools.call', 'p_call', { name: 'read' }],
      ['bus.plugin', 'p_publish', { topic: 'news/x' }],
      ['bus.write', 'q_publish', { topic: 'news/x' }],
    ];
    for (const [permission, name, input] of cases) {
      const why = { outcome: 'failed', text: expect.stringContaining(`"${permission}"`) };
      expect(await call(name, input)).toMatchObject(why);
    }
  });

  test.each<[string, Given]>([
    ['tools.register', {}],
    ['hooks.subscribe', { hooks: true }],
    ['bus.read', { subscribes: true }],
  ])('without %s what it declares has no effect, and a warning or its state says so', async (permission, given) => {
    const world = createHostWorld();
    const permissions = [...EVERYTHING, 'context.enrich'].filter((one) => one !== permission);
    add(world, runtime, 'p', { ...given, permissions });
    add(world, 'native', 'q');
    const { host, call } = await openWorld(world);
    const status = (await host.listPlugins()).find(({ id }) => id === 'p');
    expect([...world.warnings, status?.error ?? ''].join('\n')).toContain(`"${permission}"`);
    expect(await call('q_publish', { topic: 'news/x', data: 1 })).toMatchObject({ outcome: 'completed' });
    expect(await call('p_heard')).not.toMatchObject({ structuredContent: { heard: [expect.anything()] } });
  });

  test('calls a tool in the name of its session, under the rules of the session', async () => {
    const world = createHostWorld();
    add(world, runtime, 'p');
    add(world, 'native', 'q');
    world.write('home/config.json', { permissions: { deny: ['q_heard'] } });
    const { call } = await openWorld(world);
    const events: EventBody[] = [];
    const record = await call(
      'p_call',
      { name: 'q_set', input: { key: 'k', value: 7 } },
      { onEvent: (event) => void events.push(event) },
    );
    expect(record.structuredContent).toEqual({ outcome: 'completed', text: 'set', isError: false });
    expect((await call('q_get', { key: 'k' })).structuredContent).toEqual({ found: 7 });
    expect(events.filter(({ type }) => type === 'tool-call-end')).toMatchObject([
      { name: 'q_set', toolCallId: `${record.id}.1` },
      { name: 'p_call', toolCallId: record.id },
    ]);
    expect((await call('p_call', { name: 'q_heard' })).structuredContent).toMatchObject({
      outcome: 'denied',
      isError: true,
    });
    expect((await call('p_call', { name: 'nothing' })).structuredContent).toMatchObject({ outcome: 'not-found' });
    const circle = await call('p_call', { name: 'p_call', input: { name: 'p_call', input: { name: 'p_heard' } } });
    expect(circle).toMatchObject({ outcome: 'completed' });
  });

  test('hears what another publishes in its tenant, in order, and answers on the bus', async () => {
    const world = createHostWorld();
    add(world, runtime, 'p', { subscribes: true });
    add(world, runtime, 'q');
    const { host, call } = await openWorld(world);
    for (const n of [1, 2, 3]) await call('q_publish', { topic: 'news/today', data: { n } });
    await call('q_publish', { topic: 'other', data: { n: 4 } });
    await callIn(host, host.openSession({ tenant: 'acme' }), 'q_publish', { topic: 'news/today', data: 'for acme' });
    await call('q_publish', { topic: 'news/today', data: { fail: true } });
    await call('q_publish', { topic: 'news/today', data: { echo: true } });
    const expected = [1, 2, 3].map((n) => ({ topic: 'news/today', data: { n }, from: 'q', tenant: '' }));
    await expect
      .poll(async () => (await call('p_heard')).structuredContent?.heard, { timeout: 5000 })
      .toContainEqual(expect.objectContaining({ topic: 'news/echo', from: 'p' }));
    const { heard } = (await call('p_heard')).structuredContent as { heard: JsonObject[] };
    expect(heard.filter(({ tenant }) => tenant === '').slice(0, 3)).toEqual(expected);
    expect(heard.every(({ topic }) => topic !== 'other')).toBe(true);
    expect(world.warnings.join('\n')).toContain('no such news');
    const acme = host.openSession({ tenant: 'acme' });
    await expect
      .poll(async () => (await callIn(host, acme, 'p_get', { key: 'news' })).structuredContent, { timeout: 5000 })
      .toEqual({ found: 'for acme' });
  });

  test('asks a person, and the clock stands still meanwhile', async () => {
    const world = createHostWorld();
    add(world, runtime, 'p');
    const file = `plugins/p/plugin.json`;
    const manifest = JSON.parse(readFileSync(`${world.dir}/${file}`, 'utf8')) as JsonObject;
    world.write(file, { ...manifest, timeout: '400ms' });
    const { call } = await openWorld(world);
    expect(await call('p_heard')).toMatchObject({ outcome: 'completed' });
    const asked: string[] = [];
    const record = await call(
      'p_ask',
      { message: 'Who are you?' },
      {
        ask: async ({ message }) => {
          asked.push(message);
          await new Promise((resolve) => setTimeout(resolve, 900));
          return { action: 'accept', content: { name: 'Ann' } };
        },
      },
    );
    expect(asked).toEqual(['Who are you?']);
    expect(record.structuredContent).toEqual({ action: 'accept', content: { name: 'Ann' } });
    expect(await call('p_ask', { message: 'Still?' }, { ask: async () => ({ action: 'decline' }) })).toMatchObject({
      structuredContent: { action: 'decline' },
    });
    expect((await call('p_ask', { message: 'Nobody?' })).structuredContent).toEqual({ action: 'cancel' });
  });
});

describe('a tool that calls another', () => {
  test('needs the yes of the person that the session has, who is told on whose behalf', async () => {
    const world = createHostWorld();
    add(world, 'native', 'p');
    add(world, 'native', 'q');
    const { host, session } = await open(world, { yes: false, allow: ['p:p_call'] });
    const input = { name: 'q_heard' };
    const refused = await callIn(host, session, 'p_call', input);
    expect(refused.structuredContent).toMatchObject({ outcome: 'denied' });
    const own = await callIn(host, session, 'p_call', input, { isUserCall: true });
    expect(own.structuredContent).toMatchObject({ outcome: 'denied' });
    const reasons: string[] = [];
    const asked = await callIn(host, session, 'p_call', input, {
      approve: async ({ reason }) => {
        reasons.push(reason);
        return { answer: 'once', by: 'Ann' };
      },
    });
    expect(asked.structuredContent).toMatchObject({ outcome: 'completed' });
    expect(reasons).toEqual([expect.stringContaining('p_call of plugin p calls it')]);
  });

  test('in a circle is stopped by the depth, with an error and no hang', async () => {
    const world = createHostWorld();
    world.addNative(
      'p',
      `import { defineTool } from '@toolpost/sdk';
       export default defineTool({ name: 'again', description: 'd', execute: async (_, { callTool }) => (await callTool('again')).text });`,
      { permissions: ['tools.register', 'tools.call'] },
    );
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'again')).text).toContain('8 calls stand above it');
  });

  test('is cancelled with what it has called', async () => {
    const world = createHostWorld();
    add(world, 'native', 'p');
    world.addNative(
      'q',
      `import { defineTool } from '@toolpost/sdk';
       export default defineTool({ name: 'wait', description: 'd', execute: (_, { abortSignal, progress }) => new Promise((_done, fail) => {
         abortSignal.addEventListener('abort', () => fail(abortSignal.reason)); progress({ progress: 1 }); }) });`,
    );
    const { host, session } = await open(world);
    const caller = new AbortController();
    const ended: string[] = [];
    const record = await callIn(
      host,
      session,
      'p_call',
      { name: 'wait' },
      {
        abortSignal: caller.signal,
        onEvent(event) {
          if (event.type === 'tool-progress') caller.abort();
          if (event.type === 'tool-call-end') ended.push(`${event.name} ${event.outcome}`);
        },
      },
    );
    expect(record.outcome).toBe('cancelled');
    await expect.poll(() => ended.toSorted()).toEqual(['p_call cancelled', 'wait cancelled']);
  });
});
