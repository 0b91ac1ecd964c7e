import type {
  ChannelEvent,
  ChannelWidget,
  ContentRequest,
  EnricherDeclaration,
  HookAnswer,
  HookDeclaration,
  JsonObject,
  JsonSchema,
  Manifest,
  Permission,
  PluginContent,
  PromptPart,
  Session,
  ToolDefinition,
  ToolResult,
  UiAction,
} from '@toolpost/protocol';
import type {
  BusContext,
  BusMessage,
  ContentContext,
  EnricherSession,
  HookEvent,
  LogLevel,
  ToolCallContext,
  ToolPreviewContext,
  UiActionContext,
} from '@toolpost/sdk';
import type { PluginGrants } from '../registry/plugin-services.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';

/** Where a plugin was found. Discovery order of design section 3: `flag`, `home`, `config`, `bundled`, `project`. */
export type PluginOrigin = 'builtin' | 'flag' | 'home' | 'config' | 'bundled' | 'project';

/** Takes pieces and gives back what may be written; `end` gives what it kept. */
export interface ByteMask {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** What of an MCP server a manifest has no place for. Variables are filled in. */
export interface McpServer {
  readonly env: Readonly<Record<string, string>>;
  /** Absent where it is a process, as the manifest says. */
  readonly url?: string;
  /** The older way of HTTP, with a stream of events that is opened first; absent is the current one, `http`. */
  readonly type?: 'sse';
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** The client as which a person signs in at a server. Without any of it, one registers itself. */
export interface OAuthSettings {
  /** Registered by hand at the authorization server. It goes before `clientMetadataUrl`. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server at which `clientId` is registered. Absent is whichever one the server names. */
  readonly issuer?: string;
  /** The https address of a page about the client: its id where the authorization server takes one. */
  readonly clientMetadataUrl?: string;
  /** Parted by spaces. */
  readonly scope?: string;
}

/** A plugin whose manifest was read and is valid; nothing of it runs yet. */
export interface DiscoveredPlugin {
  readonly id: string;
  /** The folder it runs in, as a real path. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly origin: PluginOrigin;
  /** The single file of a `tools/NAME.{ts,js,py}` or lone `.wasm` plugin. */
  readonly file?: string;
  /** Set for a server of `mcpServers`, which has no folder of its own: `dir` is where it is started. */
  readonly server?: McpServer;
}

/** What the host lends a runtime. One object for each plugin. */
export interface RuntimeContext {
  readonly homeDir: string;
  /** Modules that plugins get from the host: `@toolpost/sdk`, `zod` and their subpaths, as file URLs. */
  readonly pluginModules: Readonly<Record<string, string>>;
  /** The folder of `toolpost.py`, put on PYTHONPATH. */
  readonly pythonDir: string;
  /** The host's own environment, from which a child's is picked. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** One object for the life of the host: its contents change with `resolveSettings`. */
  readonly settings: JsonObject;
  /**
   * Called before a plugin that ended is started again, as before its first start: reads anew what its settings name.
   * @throws HostError CONFIG_INVALID
   */
  readonly resolveSettings?: () => Promise<void>;
  /** What the user's `toolPolicy` grants it. */
  readonly grants: PluginGrants;
  /**
   * Called before a plugin that ended is started again: its files may have changed meanwhile.
   * @throws HostError when they are not to be run.
   */
  readonly checkBeforeRestart?: () => void;
  /** Masks secrets in what a plugin writes to its log by itself, which comes in pieces. Absent where there are none. */
  readonly maskBytes?: () => ByteMask;
  /** Hears of values that must show up nowhere from now on: some are there only once a server was signed in to. */
  readonly onSecrets?: (values: readonly string[]) => void;
  /** Absent where no plugin can be a channel, or another process of this plugin is it. */
  readonly channels?: ChannelHost;
  /** The tenant whose process or connection it is; absent where one serves all. */
  readonly tenant?: string;
  /** Checks a result's structured content by an output schema. @returns what is wrong with it, or undefined. */
  readonly checkOutput?: (schema: JsonSchema, value: unknown) => Promise<string | undefined>;
  /**
   * Publishes outside of a call; absent where there is no bus.
   * @throws Error that says why it was not published.
   */
  readonly publish?: (topic: unknown, data: unknown, tenant: string) => void;
  /** Aborts when the host closes: a start that is under way is given up. Absent: it is waited for. */
  readonly closing?: AbortSignal;
  /** Another number for each time that a plugin's changed files are read in this process; absent for the first. */
  readonly reading?: number;
  /** Writes to the plugin's log file. */
  log(message: string, level?: LogLevel): void;
  /** Called when a running plugin ends or its tools change without being asked to. `isKilled`: the host ended it. */
  onStateChange(change: { state: 'stopped' | 'tools-changed'; reason?: string; isKilled?: boolean }): void;
}

/** The channel that a plugin is, while its process runs and the user has enabled it. */
export interface ChannelPort {
  readonly name: string;
  readonly pluginId: string;
  /** It says of each reply that it has it. */
  readonly acceptsReplies: boolean;
  /** It can ask the people behind it to fill in a form. */
  readonly answersAsks: boolean;
  /** What it was told: whether its messages are taken. */
  readonly isServing: boolean;
  /** What the user configured for it. */
  readonly config: JsonObject;
  /** How much it has not read yet, in characters. */
  readonly backlog: number;
  send(event: ChannelEvent): void;
  /** Resolves when the plugin has read what was sent before, as far as that can be known. Rejects when it ends first. */
  confirm(): Promise<unknown>;
  /** Resolves when the plugin says that it has started, as any answer to `ping` does. Never where it says nothing. */
  readonly started: Promise<void>;
}

/** What the host has for channels: their configuration, who is which, and where their messages go. */
export interface ChannelHost {
  /** The user's configuration of an enabled channel; undefined for one that is not. */
  configOf(name: string): JsonObject | undefined;
  /** Takes the channel for the plugin. @throws Error that names the plugin that has it already. */
  claim(name: string, pluginId: string): void;
  release(name: string, pluginId: string): void;
  /** Whether the messages of this life are taken here, as `toolpost serve` does. Asked before `opened`. */
  serves(port: ChannelPort): boolean;
  opened(port: ChannelPort): void;
  closed(port: ChannelPort): void;
  /** Answers a request. @throws Error with the text for the plugin. */
  answer(port: ChannelPort, method: string, params: JsonObject): unknown;
}

/** What a channel has declared, and what a crash of it has taken away. */
export interface OfferedChannel {
  readonly name: string;
  /** The user's configuration has enabled it. */
  readonly isEnabled: boolean;
  /** Its process runs and has its configuration. */
  readonly isOpen: boolean;
  readonly tools: readonly ToolDefinition[];
  readonly prompt: readonly PromptPart[];
  readonly widgets: readonly ChannelWidget[];
  /** The tools that it had when it crashed: nothing else gets their names before it is back. */
  readonly reserved: readonly ToolDefinition[];
}

/** Why a call's context was aborted. `timed-out` and `cancelled` are the caller's outcomes. */
export type AbortCause = 'cancelled' | 'timed-out';

/** What a tool has of its result when its call ends before it does. */
export interface ResultSoFar {
  readonly text: string;
  readonly metadata: JsonObject;
}

/** The context of one call as a runtime sees it: what the tool gets, and a cheap way to hear of an abort. */
export interface RuntimeCallContext extends ToolCallContext {
  readonly session: ToolCallContext['session'] & Pick<Session, 'rootSpellings'>;
  /**
   * Where the call's deadline or its caller ends it, `soFar` is asked once, right before the abort: what it gives stands in
   * the result, before the text that says how the call ended.
   */
  keepSoFar(soFar: (cause: AbortCause) => ResultSoFar): void;
  /** `input` as a JSON text, for runtimes that send it within JSON. */
  readonly quotedInput: string;
  /** Calls `listener` at once when already aborted. Returns a function that removes it. */
  onAbort(listener: (cause: AbortCause) => void): () => void;
}

/** Whatever the plugin gave as a result, or that it does not handle this action. */
export type UiActionAnswer = { readonly isHandled: true; readonly value: unknown } | { readonly isHandled: false };
export const NOT_HANDLED: UiActionAnswer = Object.freeze({ isHandled: false });

/** A hook as a plugin offers it; `matcher` as in the manifest. */
export type HookOffer = HookDeclaration;

/** A text for the system prompt as a plugin offers it. */
export type EnricherOffer = EnricherDeclaration;

/** Thrown by `execute` when the plugin died, trapped or could not be started: the outcome is `crashed`. */
export class PluginCrash extends Error {
  override readonly name = 'PluginCrash';
}

/** Thrown by `execute` of a tool that a time limit of its own has ended: the outcome is `timed-out`, with this result. */
export class ToolTimedOut extends Error {
  override readonly name = 'ToolTimedOut';
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super('the tool ended at its own time limit');
    this.result = result;
  }
}

/** How a plugin runs. One implementation a folder beside this file; none imports another. */
export interface Runtime {
  /**
   * Starts the plugin far enough to know its tools and hooks, within its `startTimeoutMs`.
   * @throws HostError PLUGIN_LOAD_FAILED, PLUGIN_EXITED or PROTOCOL_MISMATCH, with what the plugin said.
   */
  load(plugin: DiscoveredPlugin, context: RuntimeContext): Promise<LoadedPlugin>;
  /** Whether its tools may have previews: only then is a plugin started for one. */
  readonly hasPreviews?: boolean;
  /** Its tools are functions of the host's own process, which nothing can stop. */
  readonly isInProcess?: boolean;
  /** What it loads once keeps tenants apart by itself, and serves all. */
  readonly separatesTenants?: boolean;
}

/** The process of a plugin that has one of its own. */
export interface RunningProcess {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How often it was started since the plugin was loaded. */
  readonly starts: number;
  readonly lastStderr: readonly string[];
}

/** A plugin that was loaded. It stays usable after a crash: the next `ready` starts it again. */
export interface LoadedPlugin {
  readonly tools: readonly ToolDefinition[];
  readonly hooks: readonly HookOffer[];
  readonly enrichers: readonly EnricherOffer[];
  /** Absent where it is no channel. */
  readonly channel?: OfferedChannel | undefined;
  /** Resources and prompts for clients of MCP; absent where a runtime has none. */
  readonly content?: PluginContent | undefined;
  /** Topics of the bus that it hears of; absent where a runtime has no bus. */
  readonly subscriptions?: readonly string[] | undefined;
  /** Permissions that what it has declared or asked for needs, and that its manifest lacks; absent where none is known of. */
  readonly lacked?: ReadonlySet<Permission>;
  /** It says that it handles what is done in interfaces that its tools draw. */
  readonly handlesUiActions?: boolean | undefined;
  /** What it declared and cannot have, one sentence each. */
  readonly problems?: readonly string[];
  /** Tools that it lists and nobody gets, before a person has looked at them. */
  readonly withheld?: readonly WithheldTool[];
  /** What a person should know of it, one sentence each. */
  readonly warnings?: readonly string[];
  /** Calls that may be in flight at once; absent is unbounded. The call path queues the rest. */
  readonly maxConcurrentCalls?: number;
  /** What runs now; absent where nothing does, or nothing of its own. */
  readonly process?: RunningProcess | undefined;
  /** Whether `ready` would return at once. */
  readonly isReady: boolean;
  /** Makes sure that it runs, with backoff after repeated crashes. Not counted into a call's deadline. */
  ready(): Promise<void>;
  /**
   * Takes the place that this call will run in, where calls of different sessions run in different ones: undefined when it
   * is free, else a wait that is not counted into the call's deadline. The place is given back by `execute` with this
   * context, or when the context is aborted.
   * @throws PluginCrash when there is none.
   */
  acquire?(context: RuntimeCallContext): Promise<void> | undefined;
  /**
   * Runs one call. `input` is validated. Returns whatever the tool gave; the call path settles it.
   * @throws PluginCrash when the plugin died; any other throw is the tool's own failure.
   */
  execute(tool: ToolDefinition, input: JsonObject, context: RuntimeCallContext): unknown | Promise<unknown>;
  /** The text of a tool's preview, or undefined. A throw is no preview either. */
  preview?(tool: ToolDefinition, input: JsonObject, context: ToolPreviewContext): unknown | Promise<unknown>;
  runHook(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer>;
  /** The text of one of its enrichers, whatever the plugin takes for text. @throws why it has none. */
  enrich(name: string, session: EnricherSession, abortSignal: AbortSignal): Promise<unknown>;
  /** A part of its `content`, whatever the plugin takes for it. @throws why it has none. */
  answerContent?(request: ContentRequest, context: ContentContext): Promise<unknown>;
  /** Has the plugin handle what is done in an interface of its. @throws what its handler threw. Absent where none can. */
  handleUiAction?(action: UiAction, context: UiActionContext): Promise<UiActionAnswer>;
  /** Handles a message of the bus. @throws what its handler threw. */
  receive?(message: BusMessage, context: BusContext): Promise<void>;
  /** Resolves when nothing of the plugin runs any more. Never rejects; may be called twice. */
  close(): Promise<void>;
}

export type { EnricherSession, HookAnswer, HookEvent, ToolResult, WithheldTool };
