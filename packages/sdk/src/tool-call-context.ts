import type { JsonObject, Outcome, OutputStream, ToolResult } from '@toolpost/protocol';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Values by key, kept by the host for one tenant. Values are any JSON; a key is 1 to 512 bytes of text. Each method rejects
 * where the plugin's manifest lacks the permission, and `set` where the plugin's quota is used up.
 */
export interface KeyValueStore {
  /** The value, or undefined. A copy: what is done to it changes nothing here. */
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** The keys that begin with `prefix`, all when absent, in the order of their bytes. */
  keys(prefix?: string): Promise<string[]>;
}

/** The plugin's own store (permission `storage.private`). */
export interface Storage extends KeyValueStore {
  /** What all plugins of the tenant share (permission `storage.shared`). */
  readonly shared: KeyValueStore;
}

/** A question to the session's user: MCP's elicitation form (a flat object schema). */
export interface AskForm {
  message: string;
  schema: JsonObject;
  /** Names the question among those of a call, for clients that answer by name. */
  name?: string;
}

export interface AskAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}

/** A question to the client itself, by MCP's words: its model (sampling) or its directories (roots). */
export interface ClientRequest {
  method: 'sampling/createMessage' | 'roots/list';
  params?: JsonObject;
  /** As in AskForm. */
  name?: string;
}

/** How a tool that another one called has ended. `text` is what a model would get of it. */
export interface CalledTool extends ToolResult {
  readonly outcome: Outcome;
  readonly text: string;
}

/**
 * Tells the tenant's other plugins something: any JSON of at most 256 KiB. Resolves when it is on its way, whoever hears it
 * (permissions `bus.plugin` and `bus.write`).
 */
export type Publish = (topic: string, data: unknown) => Promise<void>;

/** What the call may touch. `resolvePath` confines a path to the roots by its real path, and throws otherwise. */
export interface Sandbox {
  readonly roots: readonly string[];
  readonly hosts: readonly string[];
  readonly spawn: boolean;
  resolvePath(path: string): Promise<string>;
}

/**
 * The one context that every tool gets (seed A: ToolCallContext of ExecuteV2). A plain function that ignores
 * it is a tool too. Its functions are bound: `execute(input, { output, ask })` may take them out.
 */
export interface ToolCallContext {
  readonly toolCallId: string;
  /** The trace that the call is part of, as W3C Trace Context has it, for spans of the tool's own; absent where nothing is traced. */
  readonly traceparent?: string | undefined;
  /** JSON text of the final arguments; `execute`'s own input is the parsed object. */
  readonly input: string;
  readonly session: {
    readonly id: string;
    readonly channel: string;
    readonly chatId: string;
    readonly tenant: string;
    readonly user: string;
    /** Those among `roots` in which a tool should change nothing. */
    readonly readOnlyRoots?: readonly string[];
  };
  /** Absolute directories that the session grants; relative paths start in the first. */
  readonly roots: readonly string[];
  readonly sandbox: Sandbox;
  /** Aborts when the caller cancels or a deadline passes. */
  readonly abortSignal: AbortSignal;
  /** Streams text to the clients while the call runs; renews an idle deadline. */
  output(text: string, stream?: OutputStream): void;
  progress(update: { progress: number; total?: number; message?: string }): void;
  /** Writes to the plugin's log. */
  log(message: string, level?: LogLevel): void;
  readonly storage: Storage;
  /** The plugin's settings: manifest defaults overlaid by the user's configuration. */
  readonly settings: JsonObject;
  /** Asks the session's user. Time spent waiting does not count; where nobody can answer, `action` is `cancel`. */
  ask(form: AskForm): Promise<AskAnswer>;
  /**
   * Calls another tool in the name of the session, which sees it, is asked about it and pays for it as for a call of its
   * model (permission `tools.call`). How it ends is the answer; the call of a component cannot do it.
   * @throws Error without the permission, or too deep in calls of calls.
   */
  callTool(name: string, input?: JsonObject): Promise<CalledTool>;
  /** As the type says; a component cannot do it. */
  readonly publish: Publish;
  /**
   * Asks the client for what only it has. Time spent waiting does not count. Absent where there is no such client: the
   * terminal, the agent, and plugins that are not native.
   * @throws Error where the client did not say that it can be asked this, or refuses.
   */
  readonly requestClient?: ((request: ClientRequest) => Promise<JsonObject>) | undefined;
}

/** What a tool's `preview` may know of a call that nobody has allowed yet. `abortSignal` aborts when its time is up. */
export type ToolPreviewContext = Pick<ToolCallContext, 'session' | 'roots' | 'settings' | 'abortSignal'>;
