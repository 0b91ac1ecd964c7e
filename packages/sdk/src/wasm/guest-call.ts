import hostCall from 'toolpost:plugin/call@0.1.0';
import sharedStorage from 'toolpost:plugin/shared-storage@0.1.0';
import hostStorage from 'toolpost:plugin/storage@0.1.0';
import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { toJsonText } from '../results/plain-json.ts';
import type {
  AskAnswer,
  AskForm,
  KeyValueStore,
  LogLevel,
  Sandbox,
  Storage,
  ToolCallContext,
} from '../tool-call-context.ts';
import { GuestAbortSignal } from './guest-abort.ts';
import { guestLog } from './guest-console.ts';
import { placeOf } from './preopened.ts';
import type { WireContext } from './wire.ts';

/** One call as a tool in a component sees it. The host knows which call runs, since an instance has one at a time. */
export class GuestCall implements ToolCallContext {
  readonly input: string;
  readonly roots: readonly string[];
  readonly session: ToolCallContext['session'];
  readonly toolCallId: string;
  readonly abortSignal: AbortSignal;
  readonly #signal: GuestAbortSignal;
  readonly #wire: WireContext;
  #settings: JsonObject | undefined;

  constructor(input: string, wire: WireContext) {
    const { roots, readOnlyRoots } = wire;
    this.input = input;
    this.roots = roots;
    this.session = readOnlyRoots.length === 0 ? wire.session : { ...wire.session, readOnlyRoots };
    this.toolCallId = wire.callId;
    this.#signal = new GuestAbortSignal(hostCall.isCancelled);
    // It has what tools use of an AbortSignal; QuickJS has none.
    this.abortSignal = this.#signal as unknown as AbortSignal;
    this.#wire = wire;
  }

  get sandbox(): Sandbox {
    const { roots } = this;
    const { hosts, maySpawn } = this.#wire;
    // The sandbox itself holds links; here a path is only made absolute.
    return { roots, hosts, spawn: maySpawn, resolvePath: async (path) => placeOf(roots, path).absolute };
  }

  get settings(): JsonObject {
    this.#settings ??= readSettings(this.#wire.settings);
    return this.#settings;
  }

  readonly output: ToolCallContext['output'] = (text, stream = 'stdout') => {
    hostCall.output(String(text).toWellFormed(), stream);
  };

  readonly progress: ToolCallContext['progress'] = ({ progress, total = null, message = null }) => {
    hostCall.progress({ progress, total, message });
  };

  readonly log = (message: string, level: LogLevel = 'info'): void => {
    guestLog.write(String(message), level);
  };

  readonly storage: Storage = { ...guestStore(hostStorage), shared: guestStore(sharedStorage) };

  readonly ask = async ({ message, schema }: AskForm): Promise<AskAnswer> => {
    const { action, content } = hostCall.ask(message, JSON.stringify(schema));
    const values: unknown = content ? JSON.parse(content) : undefined;
    return isJsonObject(values) ? { action, content: values } : { action };
  };

  readonly callTool = async (name: string): Promise<never> => {
    throw new Error(`the tool ${name} was not called: a component cannot call tools`);
  };

  readonly publish = async (): Promise<never> => {
    throw new Error('nothing was published: a component has no bus');
  };

  cancel(): void {
    this.#signal.fire();
  }
}

function guestStore(host: typeof hostStorage): KeyValueStore {
  return {
    async get(key) {
      const text = host.get(key);
      return text === null || text === undefined ? undefined : JSON.parse(text);
    },
    async set(key, value) {
      host.set(key, toJsonText(value, `the value of ${key}`));
    },
    async delete(key) {
      host.delete(key);
    },
    async keys(prefix = '') {
      return host.keys(prefix);
    },
  };
}

export function readSettings(text: string): JsonObject {
  const settings: unknown = JSON.parse(text);
  return isJsonObject(settings) ? settings : {};
}
