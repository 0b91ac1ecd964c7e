import { type JsonObject, type OutputStream, readTopic } from '@toolpost/protocol';
import { resolveInRoots } from '../resolve-in-roots.ts';
import type {
  AskAnswer,
  AskForm,
  CalledTool,
  KeyValueStore,
  LogLevel,
  Storage,
  ToolCallContext,
} from '../tool-call-context.ts';

/** What a tool did with its context. */
export interface TestContext extends ToolCallContext {
  readonly outputs: { text: string; stream: OutputStream }[];
  readonly updates: { progress: number; total?: number; message?: string }[];
  readonly logs: { message: string; level: LogLevel }[];
  readonly asked: AskForm[];
  readonly published: { topic: string; data: unknown }[];
}

export interface TestContextOptions {
  input?: string;
  toolCallId?: string;
  session?: Partial<ToolCallContext['session']>;
  roots?: readonly string[];
  abortSignal?: AbortSignal;
  settings?: JsonObject;
  storage?: Storage;
  /** Answers for the user; without it every question is cancelled. */
  answer?: (form: AskForm) => AskAnswer | Promise<AskAnswer>;
  /** Ends the calls of other tools; without it each is `not-found`. */
  callTool?: (name: string, input: JsonObject) => CalledTool | Promise<CalledTool>;
}

/** A context for tests: it keeps what the tool streams, logs and asks, and stores in memory. */
export function createTestContext(options: TestContextOptions = {}): TestContext {
  const { roots = [], answer = () => ({ action: 'cancel' }), callTool = noSuchTool } = options;
  const outputs: TestContext['outputs'] = [];
  const updates: TestContext['updates'] = [];
  const logs: TestContext['logs'] = [];
  const asked: AskForm[] = [];
  const published: TestContext['published'] = [];
  return {
    toolCallId: options.toolCallId ?? 'test-call',
    input: options.input ?? '{}',
    session: { id: 'test-session', channel: 'cli', chatId: 'test-session', tenant: '', user: '', ...options.session },
    roots,
    sandbox: { roots, hosts: ['*'], spawn: true, resolvePath: (path) => resolveInRoots(roots, path) },
    abortSignal: options.abortSignal ?? new AbortController().signal,
    settings: options.settings ?? {},
    storage: options.storage ?? createMemoryStorage(),
    outputs,
    updates,
    logs,
    asked,
    output: (text, stream = 'stdout') => void outputs.push({ text, stream }),
    progress: (update) => void updates.push(update),
    log: (message, level = 'info') => void logs.push({ message, level }),
    async ask(form) {
      asked.push(form);
      return answer(form);
    },
    published,
    callTool: async (name, input = {}) => callTool(name, input),
    async publish(topic, data) {
      published.push({ topic: readTopic(topic), data });
    },
  };
}

/** How the call of a tool ends that the session does not have. */
export function noSuchTool(name: string): CalledTool {
  const text = `There is no tool named ${JSON.stringify(name)} in this session.`;
  return { outcome: 'not-found', content: [{ type: 'text', text }], isError: true, text };
}

/** A storage that lives as long as the test; like the real one it keeps JSON, not the objects themselves. */
export function createMemoryStorage(initial: JsonObject = {}): Storage {
  return { ...createMemoryStore(initial), shared: createMemoryStore({}) };
}

function createMemoryStore(initial: JsonObject): KeyValueStore {
  const values = new Map(Object.entries(initial).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    async get(key) {
      const text = values.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    async set(key, value) {
      values.set(key, JSON.stringify(value ?? null));
    },
    async delete(key) {
      values.delete(key);
    },
    async keys(prefix = '') {
      return [...values.keys()].filter((key) => key.startsWith(prefix)).sort();
    },
  };
}
