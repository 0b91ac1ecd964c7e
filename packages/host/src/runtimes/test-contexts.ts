import type { JsonObject } from '@toolpost/protocol';
import type { AskAnswer, AskForm, KeyValueStore } from '@toolpost/sdk';
import type { AbortCause, RuntimeCallContext, RuntimeContext } from './runtime.ts';

export interface TestCallContext extends RuntimeCallContext {
  /** What the tool streamed, in order. */
  readonly outputs: { stream: string; text: string }[];
  readonly progressUpdates: { progress: number; total?: number; message?: string }[];
  readonly questions: AskForm[];
  readonly calls: { name: string; input: JsonObject }[];
  readonly published: { topic: string; data: unknown }[];
  /** Aborts the call as the call path does: the caller has already been released. */
  abort(cause: AbortCause): void;
}

export interface TestCallOptions {
  session?: RuntimeCallContext['session'];
  roots?: readonly string[];
  settings?: JsonObject;
  /** What the session's user answers to `ask`. */
  answer?: AskAnswer;
}

const SESSION = { id: 'session-1', channel: 'cli', chatId: 'chat-1', tenant: '', user: 'ann' };

/** A call's context for tests of runtimes: it keeps what the tool does with it, and its storage is in memory. */
export function createTestCallContext(input: JsonObject, options: TestCallOptions = {}): TestCallContext {
  const { session = SESSION, roots = [], settings = {}, answer = { action: 'cancel' } } = options;
  const controller = new AbortController();
  const listeners = new Set<(cause: AbortCause) => void>();
  let abortCause: AbortCause | undefined;
  const recorded = { outputs: [], progressUpdates: [], questions: [], calls: [], published: [] } as Pick<
    TestCallContext,
    'outputs' | 'progressUpdates' | 'questions' | 'calls' | 'published'
  >;
  return {
    ...recorded,
    toolCallId: 'call-1',
    input: JSON.stringify(input),
    quotedInput: JSON.stringify(JSON.stringify(input)),
    session,
    roots,
    settings,
    sandbox: { roots, hosts: [], spawn: false, resolvePath: async (path) => path },
    abortSignal: controller.signal,
    storage: { ...storeIn(new Map()), shared: storeIn(new Map()) },
    output: (text, stream = 'stdout') => void recorded.outputs.push({ stream, text }),
    progress: (update) => void recorded.progressUpdates.push(update),
    log() {},
    async ask(form) {
      recorded.questions.push(form);
      return answer;
    },
    async callTool(name, given = {}) {
      recorded.calls.push({ name, input: given });
      const text = `called ${name}`;
      return { outcome: 'completed', content: [{ type: 'text', text }], isError: false, text };
    },
    async publish(topic, data) {
      recorded.published.push({ topic, data });
    },
    keepSoFar() {},
    onAbort(listener) {
      if (abortCause) listener(abortCause);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    abort(cause) {
      abortCause = cause;
      controller.abort(new Error(cause));
      for (const listener of listeners) listener(cause);
    },
  };
}

function storeIn(values: Map<string, unknown>): KeyValueStore {
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    keys: async (prefix = '') => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}

export interface TestRuntimeContext extends RuntimeContext {
  readonly logged: { level: string; message: string }[];
  readonly changes: { state: string; reason?: string }[];
}

/** What a host lends a runtime, for tests: it keeps log lines and state changes. */
export function createTestRuntimeContext(homeDir: string, given: Partial<RuntimeContext> = {}): TestRuntimeContext {
  const logged: TestRuntimeContext['logged'] = [];
  const changes: TestRuntimeContext['changes'] = [];
  return {
    homeDir,
    pluginModules: {},
    pythonDir: '',
    hostEnvironment: process.env,
    settings: {},
    grants: { hosts: [], spawn: false },
    log: (message, level = 'info') => void logged.push({ level, message }),
    onStateChange: (change) => void changes.push(change),
    ...given,
    logged,
    changes,
  };
}
