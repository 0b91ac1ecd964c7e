import {
  type CallRecord,
  type ContentRequest,
  HostError,
  type JsonObject,
  type Session,
  type ToolCall,
  type UiAction,
} from '@toolpost/protocol';
import type { FileDigest } from './builtin/seen-files.ts';
import type { CallOptions } from './call-path/call-options.ts';
import type { Redactor } from './call-path/redactor.ts';
import { settledOrAborted } from './call-path/settled-or-aborted.ts';
import { createCallTool } from './call-tool.ts';
import { type Diagnosis, isFine } from './doctor/diagnosis.ts';
import { grantedRoots, keptRoots } from './granted-roots.ts';
import { createSessionHooks, type SessionHooks } from './hooks/session-hooks.ts';
import { createHostCore, type HostCore } from './host-core.ts';
import type { HostOptions } from './host-options.ts';
import { type JournalQuery, readJournal } from './journal/read-journal.ts';
import { busSubscribers } from './plugin-life/bus-subscribers.ts';
import type { ChannelFront } from './plugin-life/channel-hub.ts';
import { createSlotMaker } from './plugin-life/create-slots.ts';
import { type ContextAdditions, enrichContext } from './plugin-life/enrich-context.ts';
import { handleUiAction, type UiActor } from './plugin-life/handle-ui-action.ts';
import { answerContent, type ContentAsker, type ListedContent, listContent } from './plugin-life/plugin-content.ts';
import type { PluginNewsListener } from './plugin-life/plugin-news-hub.ts';
import { createPluginPool, type PluginPool } from './plugin-life/plugin-pool.ts';
import { type PluginStatus, statusOf } from './plugin-life/plugin-status.ts';
import { registerBuiltin, registerOwnTools } from './plugin-life/register-own-tools.ts';
import { registerProblems } from './plugin-life/register-problems.ts';
import { type PluginReload, reloadPlugins } from './plugin-life/reload-plugins.ts';
import { type ServedChannels, serveChannels } from './plugin-life/serve-channels.ts';
import { type StopPluginOptions, stopPlugin } from './plugin-life/stop-plugin.ts';
import { pluginLogPath } from './processes/log-file.ts';
import { reapOrphans } from './processes/reap-orphans.ts';
import type { Snapshot } from './registry/snapshot.ts';
import type { UiActionAnswer } from './runtimes/runtime.ts';
import { createSessionId } from './session-id.ts';
import type { Settings } from './settings/settings-schema.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { explainName, type WhyReport } from './why.ts';

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
  /** So long plugins that start may take; then the list is what is known. Without it they are waited for. */
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
   * Has a plugin handle what was done in an interface that a tool of its has drawn: within 30 seconds, under the permission
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
  /** Where a plugin's log is, once something was written to it. */
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

interface HostParts extends Pick<Host, 'recallFiles'> {
  readonly makeSlots: ReturnType<typeof createSlotMaker>;
}

class ToolHost implements Host {
  readonly #core: HostCore;
  readonly #makeSlots: ReturnType<typeof createSlotMaker>;
  #pool: PluginPool;
  readonly #callTool: ReturnType<typeof createCallTool>;
  readonly #reaping: Promise<unknown>;
  readonly sessionHooks: SessionHooks;
  readonly recallFiles: Host['recallFiles'];
  #reloading: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(core: HostCore, pool: PluginPool, { makeSlots, recallFiles }: HostParts) {
    this.#core = core;
    this.#makeSlots = makeSlots;
    this.recallFiles = recallFiles;
    this.#pool = pool;
    this.#callTool = createCallTool(core.callPath);
    core.beyond.callTool = (...given) => this.callTool(...given);
    core.bus.setSubscribers(busSubscribers(core, pool.slots));
    this.sessionHooks = createSessionHooks(core.callPath.hooks, core.warn);
    this.#reaping = reapOrphans(core.homeDir).catch(() => 0);
  }

  get homeDir(): string {
    return this.#core.homeDir;
  }

  get settings(): Settings {
    return this.#core.settings;
  }

  get redact(): Redactor {
    return this.#core.redact;
  }

  get telemetry(): Telemetry | undefined {
    return this.#core.telemetry;
  }

  get projectInstructions() {
    return this.#core.projects.flatMap(({ root, agents }) => (agents === undefined ? [] : [{ root, text: agents }]));
  }

  openSession({
    id = createSessionId(),
    tenant = '',
    channel = 'cli',
    chatId,
    user = '',
    roots,
  }: SessionOptions = {}): Session {
    const granted = grantedRoots(this.#core, tenant, roots);
    return Object.freeze({ id, tenant, channel, chatId: chatId ?? id, user, ...granted });
  }

  reopenSession(kept: Session, { areRootsGiven = false }: { areRootsGiven?: boolean } = {}): Session {
    const { id, tenant, channel, chatId, user } = kept;
    return Object.freeze({ id, tenant, channel, chatId, user, ...keptRoots(this.#core, kept, areRootsGiven) });
  }

  async listTools(session: Session, options?: ListOptions): Promise<Snapshot> {
    await this.#learnAll(options);
    return this.#core.registry.snapshot(session);
  }

  onToolsChange(listener: () => void): () => void {
    return this.#core.registry.onChange(listener);
  }

  onPluginNews(listener: PluginNewsListener): () => void {
    return this.#core.pluginNews.listen(listener);
  }

  async listContent(session: Session, options?: ListOptions): Promise<readonly ListedContent[]> {
    await this.#learnAll(options);
    return listContent(this.#core, this.#pool.slots, session);
  }

  answerContent(pluginId: string, request: ContentRequest, asker: ContentAsker): Promise<unknown> {
    return answerContent({ core: this.#core, slots: this.#pool.slots }, { pluginId, request }, asker);
  }

  handleUiAction(pluginId: string, action: UiAction, actor: UiActor): Promise<UiActionAnswer> {
    return handleUiAction({ core: this.#core, slots: this.#pool.slots }, { pluginId, action }, actor);
  }

  callTool(call: ToolCall, session: Session, options?: CallOptions): Promise<CallRecord> {
    const learning = this.#pool.learnFor(call.name);
    if (!learning) return this.#callTool(call, session, options);
    return settledOrAborted(learning, options?.abortSignal).then(() => this.#callTool(call, session, options));
  }

  enrichContext(session: Session, abortSignal: AbortSignal): Promise<ContextAdditions> {
    return enrichContext({ core: this.#core, slots: this.#pool.slots }, session, abortSignal);
  }

  keepText(session: Session, callId: string, text: string): string | undefined {
    return this.#core.callPath.outputFiles.keep({ session, callId, extension: 'txt' }, text);
  }

  async why(name: string, session: Session): Promise<WhyReport> {
    await this.#pool.learnAll();
    return explainName(this.#core, name, session);
  }

  logPath(pluginId: string): string {
    return pluginLogPath(this.#core.homeDir, pluginId);
  }

  async listPlugins({ start = true }: { start?: boolean } = {}): Promise<PluginStatus[]> {
    if (start) await this.#pool.startAll();
    return statusOf(this.#core, this.#pool);
  }

  async diagnose(session: Session): Promise<Diagnosis> {
    const [{ diagnosePlugins }, { checkMachine }] = await Promise.all([
      import('./doctor/diagnose-plugins.ts'),
      import('./doctor/check-machine.ts'),
      this.#pool.startAll(),
    ]);
    const plugins = await diagnosePlugins(this.#core, this.#pool.slots, session);
    const machine = await checkMachine(this.#core, this.#pool.slots);
    return { isFine: isFine(machine, plugins), machine, plugins };
  }

  async readJournal(query: JournalQuery): Promise<JsonObject[]> {
    this.#core.callPath.journal.flush();
    return readJournal(this.#core.homeDir, query);
  }

  serveChannels(front: ChannelFront): ServedChannels {
    return serveChannels(this.#core, () => this.#pool.slots, front);
  }

  stopPlugin(id: string, options?: StopPluginOptions): Promise<void> {
    return stopPlugin(this.#pool.slots, id, options);
  }

  reloadPlugins(): Promise<PluginReload> {
    const reload = this.#reloading.then(() => this.#reload());
    this.#reloading = reload.catch(() => undefined);
    return reload;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** A plugin that is starting goes on with it, also when nobody waits for it any more. */
  #learnAll({ waitMs }: ListOptions = {}): Promise<unknown> {
    const learning = this.#pool.learnAll();
    if (waitMs === undefined) return learning;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    return Promise.race([learning, promise]).finally(() => clearTimeout(timer));
  }

  async #reload(): Promise<PluginReload> {
    if (this.#closing) throw new HostError('PLUGIN_LOAD_FAILED', 'the host is closing: its plugins are not read again');
    const { slots, finish } = reloadPlugins(this.#core, this.#pool.slots, this.#makeSlots);
    this.#pool = createPluginPool(slots);
    this.#core.bus.setSubscribers(busSubscribers(this.#core, slots));
    return finish(this.#pool);
  }

  async #close(): Promise<void> {
    await this.sessionHooks.close();
    await this.#core.bus.close();
    await Promise.all([this.#pool.close(), this.#reaping]);
    this.#core.callPath.journal.close();
    this.#core.callPath.limits.close();
    this.#core.stores.close();
    this.#core.callPath.outputFiles.prune();
  }
}
