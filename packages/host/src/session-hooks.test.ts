import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, JsonObject } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentOptions, createAgent } from './agent.ts';
import { createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';
import { chatChunks, type ProviderAnswer, startScriptedProvider } from './models/fixtures/scripted-provider.ts';

/** Notes every hook event in a file, and denies or fails where it is told to. */
const STDIO_GUARD = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const hooks = ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'PostCompact', 'AgentStop', 'SessionEnd'].map((event) => ({ event }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') send({ protocolVersion: 2, hooks });
  else if (method === 'hook') {
    appendFileSync(process.argv[2], JSON.stringify(params) + '\\n');
    const denies = params.event === 'UserPromptSubmit' ? params.prompt.includes('forbidden') : process.argv[3] === params.event;
    send({ id, hook_result: denies ? { decision: 'deny', message: 'not that' } : { decision: 'allow' } });
  } else if (method === 'deactivate') process.exit(0);
}
`;

let world: HostWorld;
let host: Host;
beforeEach(() => {
  world = createHostWorld();
});
afterEach(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

const says = (text: string): ProviderAnswer => ({ events: chatChunks([{ content: text }]) });

/** A plugin whose hooks are heard of by `heard`; it denies prompts with "forbidden" in them, and the event `denied`. */
function addStdioGuard(denied = '', more: JsonObject = {}) {
  const log = join(world.dir, 'heard');
  world.write('plugins/guard/main.mjs', STDIO_GUARD);
  const plugin = { id: 'guard', version: '1.0.0', runtime: 'stdio', permissions: ['hooks.subscribe'], ...more };
  world.write('plugins/guard/plugin.json', { ...plugin, entry: `node main.mjs ${log} ${denied}` });
  return (): JsonObject[] => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line));
  };
}

async function openAgent(script: readonly ProviderAnswer[], options: Partial<AgentOptions> = {}) {
  const provider = await startScriptedProvider(script);
  host = await world.open();
  const session = host.openSession({ user: 'ann' });
  const model = `openai-compatible:m@${provider.url}`;
  const agent = await createAgent({ host, session, model, ...options });
  const events: EventBody[] = [];
  const turn = (text: string, abortSignal = new AbortController().signal) =>
    agent.turn(text, { abortSignal, onEvent: (event) => events.push(event) });
  const { requests } = provider;
  return { agent, session, model, turn, events, requests, [Symbol.asyncDispose]: provider[Symbol.asyncDispose] };
}

/** What the user was warned of hooks. */
const hookWarnings = () => world.warnings.filter((warning) => /hook|cancelled/.test(warning));

describe('hooks of a session', () => {
  it('hear of its start, of each prompt, of the end of each turn and of its own end, with who, what and how much', async () => {
    const heard = addStdioGuard();
    await using played = await openAgent([says('One.'), says('Two.')], { contextTokens: 50_000 });
    await played.turn('first');
    await played.turn('second');
    await host.close();
    const facts = { model: played.model, maxContext: 50_000 };
    const session = {
      sessionId: played.session.id,
      channel: 'cli',
      chatId: played.session.id,
      tenant: '',
      user: 'ann',
    };
    const event = (name: string, more: JsonObject) => ({
      event: name,
      toolName: '',
      toolInput: '',
      ...session,
      ...more,
    });
    const stop = { reason: 'completed', extra: { ...facts, promptTokens: 7, compTokens: 3 } };
    expect(heard()).toEqual([
      event('SessionStart', { reason: 'new', extra: facts }),
      event('UserPromptSubmit', { prompt: 'first', extra: facts }),
      event('AgentStop', { toolOutput: 'One.', ...stop }),
      event('UserPromptSubmit', { prompt: 'second', extra: facts }),
      event('AgentStop', { toolOutput: 'Two.', ...stop }),
      event('SessionEnd', { reason: 'closed' }),
    ]);
  });

  it('keep a prompt from the model: the turn ends as denied, with why, and nothing of it is in the conversation', async () => {
    addStdioGuard();
    await using played = await openAgent([says('One.')]);
    const text = 'A hook does not let the model have this prompt: not that';
    expect(await played.turn('something forbidden')).toMatchObject({ reason: 'denied', text, messages: [] });
    expect(played.events).toEqual([
      { type: 'turn-start', text: 'something forbidden' },
      { type: 'warning', message: text },
      { type: 'turn-end', text, reason: 'denied' },
    ]);
    expect(played.requests).toHaveLength(0);
    expect((await played.turn('something else')).reason).toBe('completed');
    expect(JSON.stringify(played.requests[0]?.body.messages)).not.toContain('forbidden');
  });

  it('keep a session from starting, as long as they deny it', async () => {
    const heard = addStdioGuard('SessionStart');
    await using played = await openAgent([says('One.')]);
    for (const _ of [1, 2]) {
      const { reason, text } = await played.turn('hello');
      expect({ reason, text }).toEqual({ reason: 'denied', text: 'A hook keeps this session from starting: not that' });
    }
    await host.close();
    expect(heard().map(({ event }) => event)).toEqual(['SessionStart', 'AgentStop', 'SessionStart', 'AgentStop']);
  });

  it.each([
    ['a native one that throws', `() => { throw new Error('no database') }`, /failed.*no database/],
    ['a native one that wants the user asked', `() => ({ decision: 'ask', message: 'sure?' })`, /prompt: sure\?$/],
  ])('deny a prompt when they fail closed or ask, which is told once: %s', async (_, handler, text) => {
    const source = `import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'UserPromptSubmit', handler: ${handler} }] });`;
    world.addNative('guard', source, { permissions: ['hooks.subscribe'], failClosed: true });
    await using played = await openAgent([says('One.')]);
    expect(await played.turn('hello')).toMatchObject({ reason: 'denied', text: expect.stringMatching(text) });
    expect(played.requests).toHaveLength(0);
    expect(played.events.filter(({ type }) => type === 'warning')).toHaveLength(1);
    expect(hookWarnings()).toEqual([]);
  });

  it('that fail and are not fail-closed are skipped, with a warning', async () => {
    const source = `import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'UserPromptSubmit', handler: () => { throw new Error('no database') } }] });`;
    world.addNative('guard', source, { permissions: ['hooks.subscribe'] });
    await using played = await openAgent([says('One.')]);
    expect((await played.turn('hello')).reason).toBe('completed');
    expect(world.warnings).toContainEqual(expect.stringContaining('UserPromptSubmit hook of plugin guard failed'));
  });

  it('are released by a cancel: the turn ends as cancelled, not as denied', async () => {
    const source = `import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'UserPromptSubmit', handler: () => new Promise(() => {}) }] });`;
    world.addNative('guard', source, { permissions: ['hooks.subscribe'] });
    await using played = await openAgent([says('One.')]);
    const abort = new AbortController();
    const turn = played.turn('hello', abort.signal);
    await expect.poll(() => played.events.length).toBe(1);
    abort.abort();
    expect((await turn).reason).toBe('cancelled');
    expect(played.events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'cancelled' });
    expect(hookWarnings()).toEqual([]);
  });

  it('tell of a failure that came before a cancel, as nobody hears the refusal then', async () => {
    const addGuard = (id: string, outcome: string) => {
      const source = `import { definePlugin } from '@toolpost/sdk';
        const handler = () => { process.emit('${id}-asked'); ${outcome} };
        export default definePlugin({ hooks: [{ event: 'UserPromptSubmit', handler }] });`;
      world.addNative(id, source, { permissions: ['hooks.subscribe'], failClosed: true });
      return once(process, `${id}-asked`);
    };
    const asked = [
      addGuard('broken', `throw new Error('no database');`),
      addGuard('slow', 'return new Promise(() => {});'),
    ];
    await using played = await openAgent([says('One.')]);
    const abort = new AbortController();
    const turn = played.turn('hello', abort.signal);
    await Promise.all(asked);
    setImmediate(() => abort.abort());
    expect((await turn).reason).toBe('cancelled');
    expect(hookWarnings()).toEqual(['the UserPromptSubmit hook of plugin broken failed, so it denies: no database']);
  });

  it('of an end that fail closed or do not answer are named, and do not claim to deny it', async () => {
    const source = `import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [
        { event: 'AgentStop', handler: () => { throw new Error('no database') } },
        { event: 'SessionEnd', handler: () => new Promise(() => {}) },
      ] });`;
    world.addNative('guard', source, { permissions: ['hooks.subscribe'], failClosed: true });
    await using played = await openAgent([says('One.')]);
    expect((await played.turn('hello')).reason).toBe('completed');
    await host.close();
    expect(hookWarnings()).toEqual([
      'the AgentStop hook of plugin guard failed, so it was skipped: no database',
      'the SessionEnd hook of plugin guard failed, so it was skipped: it did not answer within 2000 ms',
    ]);
  });

  it('hear of a summary before and after it, and keep it from being made', async () => {
    const heard = addStdioGuard();
    const part = (text: string) => [{ type: 'text' as const, text }];
    const conversation = [
      { role: 'user' as const, content: part('a') },
      { role: 'assistant' as const, content: part('b') },
    ];
    await using played = await openAgent([says('The summary.')]);
    await host.listTools(played.session);
    const compact = () =>
      played.agent.compact(conversation, {
        abortSignal: new AbortController().signal,
        onEvent: (event) => played.events.push(event),
      });
    expect((await compact()).messages).toHaveLength(1);
    expect(heard().map(({ event, reason }) => [event, reason])).toEqual([
      ['PreCompact', 'asked'],
      ['PostCompact', 'asked'],
    ]);
  });

  it('keep a conversation as it is when they deny its summary', async () => {
    addStdioGuard('PreCompact');
    const part = (text: string) => [{ type: 'text' as const, text }];
    const conversation = [
      { role: 'user' as const, content: part('a') },
      { role: 'assistant' as const, content: part('b') },
    ];
    await using played = await openAgent([]);
    await host.listTools(played.session);
    const { messages } = await played.agent.compact(conversation, {
      abortSignal: new AbortController().signal,
      onEvent: (event) => played.events.push(event),
    });
    expect(messages).toBeUndefined();
    expect(played.requests).toHaveLength(0);
    expect(played.events).toEqual([
      { type: 'warning', message: 'A hook keeps the conversation from being summarised: not that' },
    ]);
  });

  it('for events that cannot happen here are warned of, declared in the manifest or when the plugin runs', async () => {
    const source = `import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'CronFired', handler: () => undefined }] });`;
    const contributes = { hooks: [{ event: 'WebhookReceived' }], crons: [{ message: 'm', everySeconds: 5 }] };
    world.addNative('old', source, { permissions: ['hooks.subscribe', 'cron.schedule'], contributes });
    host = await world.open();
    const session = host.openSession();
    await host.listTools(session);
    const inert = 'contributes.crons, contributes.hooks (WebhookReceived), permissions ("cron.schedule")';
    expect(world.warnings).toContainEqual(expect.stringContaining(`accepted, and without effect here: ${inert}`));
    expect(world.warnings).toContain('plugin old: its CronFired hook is never called: there is no such event here');
    const old = (await host.diagnose(session)).plugins.find(({ id }) => id === 'old');
    expect(old?.closed).toEqual([]);
    expect(old?.notes).toEqual([
      'contributes.crons has no effect here',
      'contributes.hooks (WebhookReceived) has no effect here',
      'permissions ("cron.schedule") has no effect here',
      'contributes.hooks (CronFired) has no effect here',
    ]);
  });
});
