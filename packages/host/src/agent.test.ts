import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentOptions, createAgent } from './agent.ts';
import { createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';
import {
  chatCall,
  chatChunks,
  type ProviderAnswer,
  startScriptedProvider,
} from './models/fixtures/scripted-provider.ts';
import { openTrust } from './open-trust.ts';

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
const calls = (...made: [name: string, input: string][]): ProviderAnswer => ({
  events: chatChunks(
    made.flatMap(([name, input], index) => chatCall(index, name, input)),
    'tool_calls',
  ),
});

/** Calls that differ, as the same one again and again would be stopped. */
const commands = (count: number, command: string) =>
  Array.from({ length: count }, (_, index): [string, string] => [
    'bash',
    JSON.stringify({ command: `${command} # ${index}` }),
  ]);

/** An agent in a session of its own, over the chat completions wire. */
async function openAgent(script: readonly ProviderAnswer[], options: Partial<AgentOptions> = {}) {
  const provider = await startScriptedProvider(script);
  const { environment } = options;
  host = await world.open(environment && { environment: { ...environment, TOOLPOST_HOME: world.homeDir } });
  const session = host.openSession();
  const agent = await createAgent({ host, session, model: `openai-compatible:m@${provider.url}`, ...options });
  const events: EventBody[] = [];
  const turn = (text: string) =>
    agent.turn(text, { abortSignal: new AbortController().signal, onEvent: (event) => events.push(event) });
  const messages = (index: number) => JSON.stringify(provider.requests[index]?.body.messages);
  return { agent, session, turn, events, messages, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

describe('an agent', () => {
  it('puts what plugins add into the system prompt of each turn, and warns inside the turn of what it leaves out', async () => {
    const permissions = ['context.enrich'];
    world.addNative(
      'clock',
      `import { definePlugin } from '@toolpost/sdk';
       let count = 0;
       export default definePlugin({ enrichers: [
         { name: 'tick', enrich: () => 'tick ' + ++count },
         { name: 'tock', enrich: () => { throw new Error('stopped') } } ] });`,
      { permissions },
    );
    await using played = await openAgent([says('One.'), says('Two.')]);
    await played.turn('go');
    await played.turn('go');
    expect(played.messages(0)).toContain('\\n\\n## tick (clock)\\ntick 1\\n');
    expect(played.messages(1)).toContain('\\n\\n## tick (clock)\\ntick 2\\n');
    expect(played.events.slice(0, 2)).toEqual([
      { type: 'turn-start', text: 'go' },
      { type: 'warning', message: expect.stringContaining('its context "tock" is left out of this turn: stopped') },
    ]);
  });

  it('shows a key in none of its events, also where the provider quotes it', async () => {
    const environment = { ...process.env, OPENAI_API_KEY: 'sk-1234567' };
    const refusal: ProviderAnswer = { status: 401, json: { error: { message: 'wrong key: sk-1234567' } } };
    await using played = await openAgent([says('It is sk-1234567.'), refusal], { environment });
    expect((await played.turn('what is sk-1234567?')).text).toBe('It is [redacted].');
    expect((await played.turn('again')).reason).toBe('error');
    expect(JSON.stringify(played.events)).toContain('wrong key: [redacted]');
    expect(JSON.stringify(played.events)).not.toContain('sk-1234567');
  });

  it('gets the AGENTS.md of a root once a person has accepted it, and not before', async () => {
    world.write('root/AGENTS.md', 'Always say please.');
    const prompts: string[] = [];
    for (const isTrusted of [false, true]) {
      const trust = await openTrust({ TOOLPOST_HOME: world.homeDir });
      const check = trust.check(world.root);
      if (isTrusted && 'files' in check) trust.accept(check.files);
      await using played = await openAgent([says('Hi.')]);
      await played.turn('go');
      prompts.push(played.messages(0));
      await host.close();
    }
    expect(prompts.map((prompt) => prompt.includes('Always say please.'))).toEqual([false, true]);
  });

  it('runs turns that are asked for together one after the other, each with the whole history', async () => {
    await using played = await openAgent([says('One.'), says('Two.')]);
    const results = await Promise.all([played.turn('first'), played.turn('second')]);
    expect(results.map(({ text }) => text)).toEqual(['One.', 'Two.']);
    expect(played.messages(1)).toMatch(/first.*One\..*second/);
    expect(played.events.filter(({ type }) => /^turn-/.test(type)).map(({ type }) => type)).toEqual([
      'turn-start',
      'turn-end',
      'turn-start',
      'turn-end',
    ]);
  });

  it('counts tokens over its turns', async () => {
    await using played = await openAgent([says('One.'), says('Two.')]);
    expect(played.agent.usage.totalTokens).toBe(0);
    await played.turn('go');
    expect(played.agent.usage).toEqual({ inputTokens: 7, outputTokens: 3, totalTokens: 10 });
    await played.turn('go');
    expect(played.agent.usage).toEqual({ inputTokens: 14, outputTokens: 6, totalTokens: 20 });
  });

  it('fails a call with malformed arguments alone, with text that helps, and runs its siblings', async () => {
    world.write('root/a.txt', 'alpha\n');
    await using played = await openAgent([
      calls(['read', '{"file_path":"a.tx'], ['read', '{"file_path":"a.txt"}'], ['glob', '{"pattern":5,"path":[]}']),
      says('Done.'),
    ]);
    expect((await played.turn('read')).reason).toBe('completed');
    const ends = played.events.flatMap((event) => (event.type === 'tool-call-end' ? [event.result] : []));
    expect(new Map(ends.map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map([
        ['call_0', 'invalid-input'],
        ['call_1', 'completed'],
        ['call_2', 'invalid-input'],
      ]),
    );
    expect(played.messages(1)).toContain('alpha');
    expect(played.messages(1)).toContain('invalidArguments');
  });

  it('shrinks old results to a line that names a file, which its model can read again', async () => {
    world.write('root/big.txt', Array.from({ length: 400 }, (_, line) => `line ${line} of the big file`).join('\n'));
    const script = Array.from({ length: 8 }, (_, index) =>
      calls(['read', `{"file_path":"big.txt","limit":${300 + index}}`]),
    );
    await using played = await openAgent([...script, says('Read.'), says('Yes.')], { contextTokens: 9000 });
    const { messages } = await played.turn('read it eight times');
    const file = /The whole text is in ([^"\\]+)\./.exec(JSON.stringify(messages))?.[1] ?? '';
    expect(played.events).toContainEqual({ type: 'warning', message: expect.stringContaining('shortened') });
    const record = await host.callTool(
      { id: 'again', name: 'read', arguments: JSON.stringify({ file_path: file }) },
      played.session,
    );
    expect(record.text).toContain('line 0 of the big file');
  });

  it('runs at most 16 commands of one round at once, and all of them', async () => {
    const command = 'mkdir -p run/$$; ls run | wc -l >> counts; sleep 0.2; rmdir run/$$';
    const round = commands(40, command);
    await using played = await openAgent([calls(...round), says('Done.')]);
    const { reason } = await played.turn('go');
    expect(reason).toBe('completed');
    const counts = readFileSync(join(world.root, 'counts'), 'utf8').trim().split('\n').map(Number);
    expect(counts).toHaveLength(40);
    expect(Math.max(...counts)).toBeLessThanOrEqual(16);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it('starts none of the commands that still wait when the turn is cancelled, and leaves none', async () => {
    const command = 'echo $$ >> pids; exec sleep 1000';
    const round = commands(40, command);
    await using played = await openAgent([calls(...round), says('Never.')]);
    const abort = new AbortController();
    const outcomes: string[] = [];
    const onEvent = (event: EventBody) => void (event.type === 'tool-call-end' && outcomes.push(event.outcome));
    const turn = played.agent.turn('go', { abortSignal: abort.signal, onEvent });
    const pids = () =>
      existsSync(join(world.root, 'pids')) ? readFileSync(join(world.root, 'pids'), 'utf8').trim().split('\n') : [];
    await expect.poll(() => pids().length, { timeout: 20_000 }).toBe(16);
    abort.abort();
    expect((await turn).reason).toBe('cancelled');
    expect(outcomes).toEqual(Array.from({ length: 40 }, () => 'cancelled'));
    expect(pids()).toHaveLength(16);
    await expect.poll(() => pids().filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 }).toEqual([]);
  });
});
