import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';
import { isAlive } from '../processes/process-identity.ts';
import { type HookEvent, type LoadedPlugin, PluginCrash } from './runtime.ts';
import {
  createTestCallContext,
  type TestCallContext,
  type TestCallOptions,
  type TestRuntimeContext,
} from './test-contexts.ts';

/**
 * A runtime's conformance plugin, loaded afresh for each behaviour. It has the tools that the behaviours below call;
 * `settings` of its context are `{"unit": "C"}`.
 */
export interface ConformanceSubject {
  readonly plugin: LoadedPlugin;
  readonly context: TestRuntimeContext;
  /** An empty folder for the files that tools write. */
  readonly dir: string;
  /** Loads it once more, for a host that closes by the signal. */
  loadAgain(closing: AbortSignal): Promise<LoadedPlugin>;
}

export interface ConformanceBehaviour {
  readonly title: string;
  run(subject: ConformanceSubject): Promise<void>;
}

/** What every runtime does alike. A runtime that cannot skips the title with its reason. */
export const CONFORMANCE: readonly ConformanceBehaviour[] = [
  {
    title: 'gives the result of a call',
    async run(subject) {
      assert.equal(textOf(await call(subject, 'echo', { text: 'hello' })), 'hello');
    },
  },
  {
    title: 'carries every character there and back',
    async run(subject) {
      const text = 'Zoë "😀"\n\\ \u2028\u2029\u0085 👩‍👧 \u0000 漢字';
      assert.equal(textOf(await call(subject, 'echo', { text })), text);
    },
  },
  {
    title: 'carries a result of 5 MiB',
    async run(subject) {
      const bytes = 5 * 1024 * 1024;
      assert.equal(textOf(await call(subject, 'large', { bytes })).length, bytes);
    },
  },
  {
    title: 'tells a failure of the tool with its message',
    async run(subject) {
      assert.match(await failureOf(call(subject, 'fail')), /the printer is on fire/);
    },
  },
  {
    title: 'carries structured content and metadata',
    async run(subject) {
      const result = asObject(await call(subject, 'metadata'));
      assert.equal(textOf(result), '21 degrees');
      assert.deepEqual(result.structuredContent, { temp: 21 });
      assert.deepEqual(result.metadata, { kind: 'weather' });
    },
  },
  {
    title: 'carries several blocks and the error flag',
    async run(subject) {
      const result = asObject(await call(subject, 'blocks'));
      assert.equal(textOf(result), 'one\ntwo');
      assert.equal(result.isError, true);
    },
  },
  {
    title: 'streams output of both streams in order',
    async run(subject) {
      const context = createTestCallContext({ lines: 4 });
      assert.equal(textOf(await callIn(subject, 'stream', context)), 'streamed 4 lines');
      const wanted = [1, 2, 3, 4].map((line) => ({ stream: line % 2 ? 'stdout' : 'stderr', text: `line ${line}\n` }));
      assert.deepEqual(context.outputs, wanted);
    },
  },
  {
    title: 'reports progress',
    async run(subject) {
      const context = createTestCallContext({ lines: 3 });
      await callIn(subject, 'stream', context);
      assert.deepEqual(context.progressUpdates.at(-1), { progress: 3, total: 3, message: '3 of 3' });
      assert.equal(context.progressUpdates.length, 3);
    },
  },
  {
    title: 'tells the tool when its call is cancelled',
    run: (subject) => stopsTheTool(subject, 'cancelled'),
  },
  {
    title: 'tells the tool when its call is past its deadline',
    run: (subject) => stopsTheTool(subject, 'timed-out'),
  },
  {
    title: 'serves the next call after one was given up',
    async run(subject) {
      const { context, ended } = await startNever(subject);
      context.abort('timed-out');
      await ended;
      await subject.plugin.ready();
      assert.equal(textOf(await call(subject, 'echo', { text: 'next' })), 'next');
    },
  },
  {
    title: 'leaves the neighbours of a given-up call alone',
    async run(subject) {
      const { context, ended } = await startNever(subject);
      const neighbour = call(subject, 'sleep', { ms: 100, tag: 'neighbour' });
      context.abort('cancelled');
      assert.equal(textOf(await neighbour), 'neighbour');
      await ended;
    },
  },
  {
    title: 'ends a call as crashed when the plugin exits, with status and last words',
    async run(subject) {
      const crash = await call(subject, 'crash').catch((error: unknown) => error);
      assert.ok(crash instanceof PluginCrash, String(crash));
      assert.match(crash.message, /exited with status 7[\s\S]*fatal: the tape is torn/);
    },
  },
  {
    title: 'reports a crash, and starts the plugin again when it is next needed',
    async run(subject) {
      const { plugin, context } = subject;
      await call(subject, 'crash').catch(() => {});
      assert.equal(plugin.isReady, false);
      assert.deepEqual(
        context.changes.map(({ state }) => state),
        ['stopped'],
      );
      await plugin.ready();
      assert.equal(plugin.isReady, true);
      assert.equal(textOf(await call(subject, 'echo', { text: 'again' })), 'again');
    },
  },
  {
    title: 'gives each of 60 calls at once its own answer',
    async run(subject) {
      const numbers = Array.from({ length: 60 }, (_, index) => String(index));
      const results = await Promise.all(numbers.map((text) => call(subject, 'echo', { text })));
      assert.deepEqual(results.map(textOf), numbers);
    },
  },
  {
    title: 'runs calls at the same time',
    async run(subject) {
      const before = performance.now();
      const tags = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const results = await Promise.all(tags.map((tag) => call(subject, 'sleep', { ms: 200, tag })));
      assert.deepEqual(results.map(textOf), tags);
      assert.ok(performance.now() - before < 1200, 'eight calls of 200 ms took more than 1.2 s');
    },
  },
  {
    title: 'carries the session and the roots to the tool',
    async run(subject) {
      const session = { id: 's-9', channel: 'web', chatId: 'c-17', tenant: '7', user: 'ann' };
      const where = JSON.parse(textOf(await call(subject, 'where', {}, { session, roots: ['/a', '/b c'] })));
      const { id: sessionId, ...rest } = session;
      assert.deepEqual(where, { sessionId, ...rest, roots: ['/a', '/b c'], toolCallId: 'call-1' });
    },
  },
  {
    title: 'takes a path in the spelling by which a root was given',
    async run(subject) {
      const [root, spelling] = [join(subject.dir, 'real'), join(subject.dir, 'link')];
      mkdirSync(root);
      symlinkSync('real', spelling);
      const session = { ...NOBODY, rootSpellings: [{ root, spelling }] };
      const startedFile = join(spelling, 'started');
      const context = createTestCallContext({ startedFile }, { session, roots: [root] });
      const ended = callIn(subject, 'never', context).catch((error: unknown) => error);
      await until(() => existsSync(join(root, 'started')), 'the tool has not begun');
      context.abort('cancelled');
      await ended;
    },
  },
  {
    title: "gives the tool the plugin's settings",
    async run(subject) {
      const settings = { unit: 'C' };
      assert.deepEqual(JSON.parse(textOf(await call(subject, 'settings', {}, { settings }))), settings);
    },
  },
  {
    title: "keeps values in the call's storage",
    async run(subject) {
      const text = textOf(await call(subject, 'remember', { key: 'k', value: { deep: ['😀'] } }));
      assert.deepEqual(JSON.parse(text), { found: { deep: ['😀'] }, gone: null });
    },
  },
  {
    title: "asks the session's user",
    async run(subject) {
      const context = createTestCallContext({}, { answer: { action: 'accept', content: { colour: 'red' } } });
      const text = textOf(await callIn(subject, 'question', context));
      assert.deepEqual(JSON.parse(text), { action: 'accept', content: { colour: 'red' } });
      assert.deepEqual(
        context.questions.map(({ message }) => message),
        ['Which colour?'],
      );
    },
  },
  {
    title: 'refuses storage in the name of a call that is not in flight',
    async run(subject) {
      assert.match(textOf(await call(subject, 'stranger')), /refused: .*callId must name a call in flight/);
    },
  },
  {
    title: 'offers its hooks, and lets one allow',
    async run({ plugin }) {
      assert.deepEqual(plugin.hooks, [{ event: 'PreToolUse', matcher: 'e*' }]);
      assert.equal(
        (await plugin.runHook(hookEvent('{"text":"fine"}'), new AbortController().signal)).decision,
        'allow',
      );
    },
  },
  {
    title: 'lets a hook deny with its reason',
    async run({ plugin }) {
      const answer = await plugin.runHook(hookEvent('{"text":"snake"}'), new AbortController().signal);
      assert.deepEqual(answer, { decision: 'deny', message: 'no snakes here' });
    },
  },
  {
    title: 'lets a hook rewrite the arguments',
    async run({ plugin }) {
      const answer = await plugin.runHook(hookEvent('{"text":"lower"}'), new AbortController().signal);
      assert.deepEqual(answer, { decision: 'allow', updatedInput: { text: 'LOWER' } });
    },
  },
  {
    title: 'gives the texts of its enrichers, for the session that asks',
    async run({ plugin }) {
      assert.deepEqual(plugin.enrichers, [{ name: 'who', priority: 10 }, { name: 'torn' }]);
      const session = { id: '', channel: '', chatId: '', tenant: '', user: 'ann' };
      const { signal } = new AbortController();
      assert.equal(await plugin.enrich('who', session, signal), 'The user is ann.');
      await assert.rejects(plugin.enrich('torn', session, signal), /the page is torn/);
    },
  },
  {
    title: 'gives up a start when the host closes, and begins none after that',
    async run({ loadAgain, context }) {
      const closing = new AbortController();
      const starting = loadAgain(closing.signal);
      closing.abort();
      await assert.rejects(starting, /clos/);
      await assert.rejects(loadAgain(closing.signal), /clos/);
      assert.deepEqual(context.changes, []);
    },
  },
  {
    title: 'leaves no process behind when it is closed, also none that left its group',
    async run(subject) {
      const pids: number[] = JSON.parse(textOf(await call(subject, 'spawn')));
      assert.deepEqual(pids.map(isAlive), [true, true]);
      await subject.plugin.close();
      assert.deepEqual(pids.map(isAlive), [false, false]);
    },
  },
  {
    title: 'leaves no process behind when it crashes',
    async run(subject) {
      const pids: number[] = JSON.parse(textOf(await call(subject, 'spawn')));
      await call(subject, 'crash').catch(() => {});
      await subject.plugin.close();
      assert.deepEqual(pids.map(isAlive), [false, false]);
    },
  },
  {
    title: 'settles the calls in flight when it is closed, and takes no more',
    async run(subject) {
      const { ended } = await startNever(subject);
      await Promise.all([subject.plugin.close(), subject.plugin.close()]);
      await ended;
      assert.equal(subject.plugin.isReady, false);
      await assert.rejects(subject.plugin.ready(), PluginCrash);
      await assert.rejects(async () => call(subject, 'echo', { text: 'late' }), PluginCrash);
      assert.deepEqual(
        subject.context.changes.filter(({ state }) => state === 'tools-changed'),
        [],
      );
    },
  },
];

/** A call with a fresh context. */
async function call(subject: ConformanceSubject, name: string, input: JsonObject = {}, options: TestCallOptions = {}) {
  return callIn(subject, name, createTestCallContext(input, options));
}

async function callIn({ plugin }: ConformanceSubject, name: string, context: TestCallContext): Promise<unknown> {
  const tool = plugin.tools.find((declared) => declared.name === name);
  assert.ok(tool, `the conformance plugin has no tool ${name}`);
  return plugin.execute(tool, JSON.parse(context.input), context);
}

/** A call that ends only when it is given up, once the tool runs. */
async function startNever(
  subject: ConformanceSubject,
): Promise<{ context: TestCallContext; ended: Promise<unknown>; stoppedFile: string }> {
  const startedFile = join(subject.dir, 'started');
  const stoppedFile = join(subject.dir, 'stopped');
  // A sandboxed plugin writes only below its roots.
  const context = createTestCallContext({ startedFile, stoppedFile }, { roots: [subject.dir] });
  const ended = callIn(subject, 'never', context).catch((error: unknown) => error);
  await until(() => existsSync(startedFile), 'the tool has not begun');
  return { context, ended, stoppedFile };
}

async function stopsTheTool(subject: ConformanceSubject, cause: 'cancelled' | 'timed-out'): Promise<void> {
  const { context, ended, stoppedFile } = await startNever(subject);
  context.abort(cause);
  await ended;
  await until(() => existsSync(stoppedFile), 'the tool has not heard that its call is over');
}

const LONGEST_WAIT_MS = 20_000;

/** Waits for something that a tool does outside of the host. */
async function until(condition: () => boolean, otherwise = 'the tool did nothing'): Promise<void> {
  const endsAt = performance.now() + LONGEST_WAIT_MS;
  while (!condition()) {
    assert.ok(performance.now() < endsAt, `${otherwise} within ${LONGEST_WAIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function failureOf(result: Promise<unknown>): Promise<string> {
  try {
    const value = asObject(await result);
    assert.equal(value.isError, true);
    return textOf(value);
  } catch (error) {
    return messageOf(error);
  }
}

function asObject(value: unknown): JsonObject {
  assert.ok(isJsonObject(value), `not a result object: ${JSON.stringify(value)}`);
  return value;
}

function textOf(result: unknown): string {
  if (typeof result === 'string') return result;
  const { content } = asObject(result);
  if (typeof content === 'string') return content;
  assert.ok(Array.isArray(content), `no content: ${JSON.stringify(result)}`);
  return content.map((block) => asObject(block).text).join('\n');
}

const NOBODY = { id: 's', channel: 'cli', chatId: 'c', tenant: '', user: '' };

function hookEvent(toolInput: string): HookEvent {
  return { event: 'PreToolUse', toolName: 'echo', toolInput, session: NOBODY };
}
