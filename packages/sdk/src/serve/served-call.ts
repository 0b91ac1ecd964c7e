import {
  type CallContextParams,
  isJsonObject,
  type JsonObject,
  PLUGIN_METHODS,
  type PluginMethod,
  quoteValue,
} from '@toolpost/protocol';
import { resolveInRoots } from '../resolve-in-roots.ts';
import type {
  AskAnswer,
  CalledTool,
  KeyValueStore,
  LogLevel,
  Sandbox,
  Storage,
  ToolCallContext,
} from '../tool-call-context.ts';
import type { HostRequests } from './host-requests.ts';
import type { PluginConnection } from './plugin-connection.ts';

/** Progress is dropped while the host is this far behind; output and answers never are. */
const MAX_PROGRESS_BACKLOG = 1024 * 1024;

/** What all calls of a served plugin share. */
export interface CallServices {
  readonly connection: PluginConnection;
  readonly requests: HostRequests;
  settings: JsonObject;
  log(message: string, level?: LogLevel): void;
}

export interface CallOrigin {
  /** As the host wrote it; `undefined` in version 1. */
  id: unknown;
  input: string;
  context: Partial<CallContextParams>;
}

/**
 * One call as a served tool sees it. Most tools look at little of it, so that everything is made when asked for; the
 * functions are bound, so that a tool may take them out of its context.
 */
export class ServedCall implements ToolCallContext {
  readonly id: unknown;
  readonly input: string;
  readonly #context: Partial<CallContextParams>;
  readonly #services: CallServices;
  #abort: AbortController | undefined;
  #state: 'running' | 'cancelled' | 'done' = 'running';

  constructor({ id, input, context }: CallOrigin, services: CallServices) {
    this.id = id;
    this.input = input;
    this.#context = context;
    this.#services = services;
  }

  get traceparent(): string | undefined {
    return this.#context.traceparent;
  }

  get toolCallId(): string {
    const { toolCallId, callId } = this.#context;
    return toolCallId ?? callId ?? (this.id === undefined ? 'call' : String(this.id));
  }

  get session(): ToolCallContext['session'] {
    const { sessionId = '', channel = '', chatId = '', tenant = '', user = '' } = this.#context;
    return { id: sessionId, channel, chatId, tenant, user };
  }

  get roots(): readonly string[] {
    return this.#context.roots ?? [];
  }

  /** The plugin's process has the user's own rights; only paths are confined here. */
  get sandbox(): Sandbox {
    const { roots } = this;
    return { roots, hosts: ['*'], spawn: true, resolvePath: (path) => resolveInRoots(roots, path) };
  }

  get abortSignal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#state === 'cancelled') this.#abort.abort(cancelError());
    }
    return this.#abort.signal;
  }

  get settings(): JsonObject {
    return this.#services.settings;
  }

  get storage(): Storage {
    return servedStorage((method, params) => this.#request(method, params));
  }

  get output(): ToolCallContext['output'] {
    return (text, stream = 'stdout') => {
      if (this.#canStream()) this.#send({ id: this.id, output: { stream, text: String(text).toWellFormed() } });
    };
  }

  get progress(): ToolCallContext['progress'] {
    return (update) => {
      if (!this.#canStream() || this.#services.connection.backlog > MAX_PROGRESS_BACKLOG) return;
      this.#send({ id: this.id, progress: update });
    };
  }

  get log(): ToolCallContext['log'] {
    return this.#services.log;
  }

  /** Version 1 has no way to ask. */
  get ask(): ToolCallContext['ask'] {
    return async ({ message, schema, name }) => {
      if (this.id === undefined) return { action: 'cancel' };
      const form = { message, schema, ...(name !== undefined && { name }) };
      return readAskAnswer(await this.#request(PLUGIN_METHODS.ask, form));
    };
  }

  get callTool(): ToolCallContext['callTool'] {
    return async (name, input = {}) => readCalledTool(await this.#request(PLUGIN_METHODS.callTool, { name, input }));
  }

  get publish(): ToolCallContext['publish'] {
    return async (topic, data) => void (await this.#request(PLUGIN_METHODS.busPublish, { topic, data: data ?? null }));
  }

  cancel(): void {
    if (this.#state !== 'running') return;
    this.#state = 'cancelled';
    this.#abort?.abort(cancelError());
  }

  /** After this, what the tool still streams is for nobody. */
  finish(): void {
    this.#state = 'done';
  }

  #canStream(): boolean {
    return this.id !== undefined && this.#state !== 'done';
  }

  async #request(method: PluginMethod, params: JsonObject): Promise<unknown> {
    if (this.id === undefined)
      throw new Error(`${method} needs version 2 of the protocol, which this host does not speak`);
    return this.#services.requests.request(method, { callId: String(this.id), ...params });
  }

  #send(message: JsonObject): void {
    this.#services.connection.send(JSON.stringify(message));
  }
}

function readCalledTool(answer: unknown): CalledTool {
  if (!isJsonObject(answer)) throw new Error(`call_tool: the host answered ${quoteValue(answer)}`);
  return answer as unknown as CalledTool;
}

type Ask = (method: PluginMethod, params: JsonObject) => Promise<unknown>;

export function servedStorage(ask: Ask): Storage {
  return { ...servedStore(ask, {}), shared: servedStore(ask, { shared: true }) };
}

function servedStore(ask: Ask, where: JsonObject): KeyValueStore {
  return {
    get: async (key) => (await ask(PLUGIN_METHODS.storageGet, { key, ...where })) ?? undefined,
    set: async (key, value) => void (await ask(PLUGIN_METHODS.storageSet, { key, value, ...where })),
    delete: async (key) => void (await ask(PLUGIN_METHODS.storageDelete, { key, ...where })),
    async keys(prefix = '') {
      const keys = await ask(PLUGIN_METHODS.storageKeys, { prefix, ...where });
      return Array.isArray(keys) ? keys.map(String) : [];
    },
  };
}

function readAskAnswer(answer: unknown): AskAnswer {
  if (!isJsonObject(answer)) throw new Error(`ask: the host answered ${quoteValue(answer)}`);
  const { action, content } = answer;
  if (action !== 'accept' && action !== 'decline') return { action: 'cancel' };
  return isJsonObject(content) ? { action, content } : { action };
}

function cancelError(): DOMException {
  return new DOMException('The call was cancelled.', 'AbortError');
}
