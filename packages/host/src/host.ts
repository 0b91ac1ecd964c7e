import type { CallRecord, ContentRequest, JsonObject, Session, ToolCall, UiAction } from '@toolpost/protocol';
import type { FileDigest } from './builtin/seen-files.ts';
import type { CallOptions } from './call-path/call-options.ts';
import type { Redactor } from './call-path/redactor.ts';
import type { Diagnosis } from './doctor/diagnosis.ts';
import type { SessionHooks } from './hooks/session-hooks.ts';
import { createHostCore } from './host-core.ts';
import type { HostOptions } from './host-options.ts';
import type { JournalQuery } from './journal/read-journal.ts';
import type { ChannelFront } from './plugin-life/channel-hub.ts';
import { createSlotMaker } from './plugin-life/create-slots.ts';
import type { ContextAdditions } from './plugin-life/enrich-context.ts';
import type { UiActor } from './plugin-life/handle-ui-action.ts';
import type { ContentAsker, ListedContent } from './plugin-life/plugin-content.ts';
import type { PluginNewsListener } from './plugin-life/plugin-news-hub.ts';
import { createPluginPool } from './plugin-life/plugin-pool.ts';
import type { PluginStatus } from './plugin-life/plugin-status.ts';
import { registerBuiltin, registerOwnTools } from './plugin-life/register-own-tools.ts';
import { registerProblems } from './plugin-life/register-problems.ts';
import type { PluginReload } from './plugin-life/reload-plugins.ts';
import type { ServedChannels } from './plugin-life/serve-channels.ts';
import type { StopPluginOptions } from './plugin-life/stop-plugin.ts';
import type { Snapshot } from './registry/snapshot.ts';
import type { UiActionAnswer } from './runtimes/runtime.ts';
import type { Settings } from './settings/settings-schema.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { ToolHost } from './tool-host.ts';
import type { WhyReport } from './why.ts';

export interface SessionOptions {
  /** A new UUID v7 when absent. */
  readonly id?: string | undefined;
  readonly tenant?: string | undefined;
  /** `cli` when absent. */
  readonly channel?: string | undefined;
  /** The session's id when absent. */
  readonly chatId?: string | undefined;
  readonly user?: string | undefined;
  /** Directories to grant; those of the tenant's configuration, else the host's own, when absent. */
  readonly roots?: readonly string[] | undefined;
}

export interface ListOptions {
  /** How long to wait for plugins that start, in ms; then the list is what is known. Without it they are waited for. */
  readonly waitMs?: number;
}

/** Loads plugins, owns the registry and runs calls. */
export interface Host {
  readonly homeDir: string;
  readonly settings: Settings;
  /** Texts of the trusted roots' AGENTS.md, for a system prompt. */
  readonly projectInstructions: readonly { readonly root: string; readonly text: string }[];
  /** Masks the secrets that the host knows, as in everything that leaves a call. */
  readonly redact: Redactor;
  /** Spans and metrics, where an OpenTelemetry SDK was registered before the host was opened. */
  readonly telemetry: Telemetry | undefined;
  /** Calls the hooks of what happens in a session beside its calls: for whoever runs its turns. */
  readonly sessionHooks: SessionHooks;
  openSession(options?: SessionOptions): Session;
  /**
   * A session that was kept, with those of its roots that are still there and still its tenant's. `areRootsGiven`: whoever
   * runs this host has given them to it, also where its tenant has none by the configuration.
   */
  reopenSession(session: Session, options?: { areRootsGiven?: boolean }): Session;
  /**
   * Lends the built-in tools what a session that was kept saw of files before, the oldest first, so that none of its writes
   * goes over a change that it does not know. `read` is called once, when it is needed.
   */
  recallFiles(session: Session, read: () => Iterable<FileDigest>): void;
  /** Everything that the session sees. Starts the plugins whose tools are not known yet, and only those. */
  listTools(session: Session, options?: ListOptions): Promise<Snapshot>;
  /**
   * Calls `listener` whenever the tools of some session may have changed, synchronously and perhaps often: `listTools`
   * says what they are. Returns what ends that.
   */
  onToolsChange(listener: () => void): () => void;
  /** Calls `listener` when a plugin crashed, could not be started or was stopped, and when it runs again. Returns what ends that. */
  onPluginNews(listener: PluginNewsListener): () => void;
  /** What the plugins of a session contribute beside tools, for clients of MCP. Known with the tools. */
  listContent(session: Session, options?: ListOptions): Promise<readonly ListedContent[]>;
  /** A part of a plugin's content, as the plugin gives it. @throws Error that says why there is none. */
  answerContent(pluginId: string, request: ContentRequest, asker: ContentAsker): Promise<unknown>;
  /**
   * Has a plugin handle what was done in an interface that one of its tools drew: within 30 seconds, under the permission
   * `ui.contribute`. @throws Error that says why it failed.
   */
  handleUiAction(pluginId: string, action: UiAction, actor: UiActor): Promise<UiActionAnswer>;
  /** Runs one call to its end. Never rejects for what a plugin or a model did: that is the record's outcome. */
  callTool(call: ToolCall, session: Session, options?: CallOptions): Promise<CallRecord>;
  /** What plugins add to the session's system prompt, asked anew each time and for at most two seconds. Never rejects. */
  enrichContext(session: Session, abortSignal: AbortSignal): Promise<ContextAdditions>;
  /** Keeps a text in a file that `read` and `grep` of this session open, and returns its path; undefined when it cannot. */
  keepText(session: Session, callId: string, text: string): string | undefined;
  /** Why a name is visible, hidden, shadowed or denied to the session. */
  why(name: string, session: Session): Promise<WhyReport>;
  /** The path of a plugin's log file; it exists after the first line. */
  logPath(pluginId: string): string;
  /** Starts the plugins of the enabled channels, keeps them running, and hands their messages to the front. */
  serveChannels(front: ChannelFront): ServedChannels;
  /** Every plugin that was found, in which state and why. Starts them all unless `start` is false. */
  listPlugins(options?: { start?: boolean }): Promise<PluginStatus[]>;
  /** Which gate keeps which plugin and tool from the session, and what of the machine is missing. Starts every plugin. */
  diagnose(session: Session): Promise<Diagnosis>;
  /** The latest calls of a tenant's user in one day, the newest last. */
  readJournal(query: JournalQuery): Promise<JsonObject[]>;
  /**
   * Ends what runs of a plugin, or of its process for one tenant; calls in flight end `crashed`. With `restart` it is
   * started again at once, else by the next call that needs it.
   * @throws HostError PLUGIN_NOT_FOUND for an unknown id, PLUGIN_LOAD_FAILED when it does not start again.
   */
  stopPlugin(id: string, options?: StopPluginOptions): Promise<void>;
  /**
   * Looks for plugins again: starts those that are new or whose files changed, and forgets those that are gone. Calls that
   * run in one of these end `crashed`. Configuration and trust stay as they were read at the start.
   * @throws HostError CONFIG_INVALID when a folder given with `pluginDirs` is gone; nothing has changed then.
   */
  reloadPlugins(): Promise<PluginReload>;
  /** Stops every plugin. Resolves when their processes are gone and the journal is written; calls in flight end `crashed`. */
  close(): Promise<void>;
}

/**
 * The library's front door: finds plugins, and wires registry, permissions, limits, hooks and journal into one call
 * path. Nothing is started before it is needed.
 * @throws HostError CONFIG_INVALID for a configuration, root or folder that cannot be used.
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const core = await createHostCore(options);
  const makeSlots = createSlotMaker(core);
  const pool = createPluginPool(makeSlots());
  registerProblems(core);
  const { recallFiles } = registerBuiltin(core);
  registerOwnTools(core, options.tools ?? []);
  return new ToolHost(core, pool, { makeSlots, recallFiles });
}
