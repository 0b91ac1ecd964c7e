import {
  type CallRecord,
  type ContentRequest,
  HostError,
  type JsonObject,
  type Session,
  type ToolCall,
  type UiAction,
} from '@toolpost/protocol';
import type { CallOptions } from './call-path/call-options.ts';
import type { Redactor } from './call-path/redactor.ts';
import { settledOrAborted } from './call-path/settled-or-aborted.ts';
import { createCallTool } from './call-tool.ts';
import { type Diagnosis, isFine } from './doctor/diagnosis.ts';
import { grantedRoots, keptRoots } from './granted-roots.ts';
import { createSessionHooks, type SessionHooks } from './hooks/session-hooks.ts';
import type { Host, ListOptions, SessionOptions } from './host.ts';
import type { HostCore } from './host-core.ts';
import { type JournalQuery, readJournal } from './journal/read-journal.ts';
import { busSubscribers } from './plugin-life/bus-subscribers.ts';
import type { ChannelFront } from './plugin-life/channel-hub.ts';
import type { createSlotMaker } from './plugin-life/create-slots.ts';
import { type ContextAdditions, enrichContext } from './plugin-life/enrich-context.ts';
import { handleUiAction, type UiActor } from './plugin-life/handle-ui-action.ts';
import { answerContent, type ContentAsker, type ListedContent, listContent } from './plugin-life/plugin-content.ts';
import type { PluginNewsListener } from './plugin-life/plugin-news-hub.ts';
import { createPluginPool, type PluginPool } from './plugin-life/plugin-pool.ts';
import { type PluginStatus, statusOf } from './plugin-life/plugin-status.ts';
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

interface HostParts extends Pick<Host, 'recallFiles'> {
  readonly makeSlots: ReturnType<typeof createSlotMaker>;
}

/** What `createHost` gives. */
export class ToolHost implements Host {
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
