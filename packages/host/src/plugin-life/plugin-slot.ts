import { messageOf, NO_CONTENT, type Permission } from '@toolpost/protocol';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { ToolRunner } from '../registry/registered-tool.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';
import {
  type DiscoveredPlugin,
  type LoadedPlugin,
  PluginCrash,
  type RunningProcess,
  type RuntimeContext,
} from '../runtimes/runtime.ts';
import { createIdleWatch, type IdleWatch } from './idle-watch.ts';
import { createPluginNewsTeller, type PluginNewsTeller } from './plugin-news.ts';
import type { Knowledge, PluginOffer, PluginSlotParts } from './plugin-slot-parts.ts';
import { createRetryPause } from './retry-pause.ts';
import { createSlotRunner } from './slot-runner.ts';

export type PluginState = 'discovered' | 'active' | 'inactive' | 'error';

/** What is left of a channel that was stopped: nothing of what it declared. */
const CLOSED_CHANNEL = { isOpen: false, tools: [], prompt: [], widgets: [], reserved: [] } as const;

/**
 * One plugin of a host through its life: found, started when first needed, broken, closed. Its names stay taken while it
 * is broken, so that nothing falls back to what it overrode (design section 3).
 */
export class PluginSlot {
  readonly plugin: DiscoveredPlugin;
  readonly runner: ToolRunner;
  readonly #parts: PluginSlotParts;
  #offer: PluginOffer;
  #knowledge: Knowledge;
  #loaded: LoadedPlugin | undefined;
  #loading: Promise<LoadedPlugin> | undefined;
  #error: string | undefined;
  #isFresh = false;
  readonly #retry = createRetryPause();
  readonly #closing = new AbortController();
  #isClosed = false;
  #stopping: Promise<void> | undefined;
  /** Starts of the lives before this one. */
  #earlierStarts = 0;
  readonly #idle: IdleWatch | undefined;
  readonly #news: PluginNewsTeller;
  readonly #ofTenants = new Map<string, PluginSlot>();

  constructor(parts: PluginSlotParts) {
    this.#parts = parts;
    this.plugin = parts.plugin;
    this.#offer = parts.known;
    this.#knowledge = parts.known.knowledge;
    if (parts.idleMs !== undefined) this.#idle = createIdleWatch(parts.idleMs, () => void this.stop());
    this.#news = createPluginNewsTeller((news) => this.#isClosed || parts.onNews?.(this, news));
    this.runner = createSlotRunner(this, {
      ...parts,
      loaded: () => this.#loaded,
      onCall: (result) => this.#idle?.watch(result),
    });
  }

  get offer(): PluginOffer {
    return this.#offer;
  }

  /** What is wrong with its settings as they are now; undefined when nothing is. */
  async settingsProblem(): Promise<string | undefined> {
    try {
      await this.#parts.context.resolveSettings?.();
      return undefined;
    } catch (error) {
      return this.#parts.redact(messageOf(error));
    }
  }

  /** What the host lends its calls. */
  get services(): PluginServices {
    return this.#parts.services;
  }

  /** What it declared when it ran and cannot have. */
  get problems(): readonly string[] {
    return this.#loaded?.problems ?? [];
  }

  /** Permissions that it has needed since it was found, and that its manifest lacks. */
  get lacked(): ReadonlySet<Permission> {
    return new Set([...(this.#loaded?.lacked ?? []), ...(this.#parts.services.lacked ?? [])]);
  }

  /** Whether its last change was a start. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** What people are told of how it runs. */
  get runtimeName(): string {
    return this.#offer.channel ? 'channel' : this.plugin.manifest.runtime;
  }

  /** Tools that it lists and nobody gets; those of its last life while it does not run. */
  get withheld(): readonly WithheldTool[] {
    return this.#loaded?.withheld ?? this.#parts.withheld;
  }

  get warnings(): readonly string[] {
    return this.#loaded?.warnings ?? [];
  }

  get knowledge(): Knowledge {
    return this.#knowledge;
  }

  get error(): string | undefined {
    return this.#error;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isDisabled(): boolean {
    return this.#parts.isDisabled;
  }

  get state(): PluginState {
    if (this.isDisabled || this.#isClosed) return 'inactive';
    if (this.#error !== undefined) return 'error';
    return this.#loaded ? 'active' : 'discovered';
  }

  /**
   * Starts it unless it runs, and learns what it offers. After a failure it is tried again, later each time.
   * @throws PluginCrash with the reason, which is also kept as `error`.
   */
  async load(): Promise<LoadedPlugin> {
    this.#idle?.touch();
    if (this.#loaded) return this.#loaded;
    if (this.isDisabled) throw new PluginCrash(`the plugin ${this.plugin.id} is disabled`);
    if (this.#isClosed) throw new PluginCrash(`the host is closing: the plugin ${this.plugin.id} is not started again`);
    if (this.#error !== undefined && this.#retry.isOn()) throw new PluginCrash(this.#error);
    this.#loading ??= this.#start().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** As `load`, and starts what had ended since. @throws PluginCrash */
  async running(): Promise<LoadedPlugin> {
    const loaded = await this.load();
    if (!loaded.isReady) await this.#revive(loaded);
    return loaded;
  }

  /** The one that serves this tenant: itself, or one with a process of the tenant's own. */
  forTenant(tenant: string): PluginSlot {
    const { forTenants } = this.#parts;
    if (!forTenants || tenant === this.tenant || this.#isClosed) return this;
    const known = this.#ofTenants.get(tenant) ?? forTenants(this.#parts, tenant);
    this.#ofTenants.set(tenant, known);
    return known;
  }

  /** This one, and those of further tenants that were needed. */
  get all(): readonly PluginSlot[] {
    return [this, ...this.#ofTenants.values()];
  }

  get tenant(): string | undefined {
    return this.#parts.tenantFor?.(this.#offer.channel?.name);
  }

  /** What runs now, with the starts of all its lives; undefined where nothing runs, or nothing of its own. */
  get process(): (RunningProcess & { readonly restarts: number }) | undefined {
    const running = this.#loaded?.process;
    return running && { ...running, restarts: this.#earlierStarts + running.starts - 1 };
  }

  /**
   * Ends what runs; calls in flight end `crashed`. Its tools stay, and the next call starts it again. Resolves when
   * nothing of it is left.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** Somebody has ended it on purpose. */
  tellStopped(): void {
    this.#news.fails('stopped');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    this.#idle?.end();
    await this.#loading?.catch(() => undefined);
    await Promise.all([
      this.#stopping,
      this.#loaded?.close(),
      ...[...this.#ofTenants.values()].map((one) => one.close()),
    ]);
  }

  async #stop(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    const loaded = this.#loaded;
    this.#loaded = undefined;
    const { channel } = this.#offer;
    this.#isFresh = false;
    if (channel) this.#offer = { ...this.#offer, channel: { ...channel, ...CLOSED_CHANNEL } };
    this.#error = undefined;
    this.#retry.reset();
    this.#earlierStarts += loaded?.process?.starts ?? 0;
    this.#parts.onChange(this);
    await loaded?.close();
  }

  async #start(): Promise<LoadedPlugin> {
    const { plugin, context } = this.#parts;
    // Two lives at once would fight over files and ports.
    await Promise.all([this.#stopping, this.#parts.formerEnded]);
    try {
      await context.resolveSettings?.();
      const loaded = await this.#loadForTenant();
      if (this.#isClosed) {
        await loaded.close();
        throw new PluginCrash(`the host is closing: the plugin ${plugin.id} was stopped`);
      }
      this.#loaded = loaded;
      this.#retry.reset();
      this.#error = undefined;
      this.#isFresh = true;
      this.#take(loaded);
      return loaded;
    } catch (error) {
      const reason = messageOf(error);
      // That a start was given up because the host closes is no fault of the plugin.
      if (!this.#isClosed) this.#fail(reason);
      throw new PluginCrash(this.#parts.redact(reason), { cause: error });
    }
  }

  /** Which channel a process is may only be known when it runs, and with it whose it is: then it is started again. */
  async #loadForTenant(): Promise<LoadedPlugin> {
    const { tenant } = this;
    const loaded = await this.#loadAs(tenant);
    const actual = this.#parts.tenantFor?.(loaded.channel?.name);
    if (actual === tenant || this.#isClosed) return loaded;
    await loaded.close();
    return this.#loadAs(actual);
  }

  #loadAs(tenant: string | undefined): Promise<LoadedPlugin> {
    const { runtime, plugin, context } = this.#parts;
    return runtime.load(plugin, {
      ...context,
      ...(tenant !== undefined && { tenant }),
      closing: this.#closing.signal,
      onStateChange: (change) => this.#onStateChange(change),
    });
  }

  #take(loaded: LoadedPlugin): void {
    const { tools, hooks, enrichers, content = NO_CONTENT, channel, subscriptions = [], handlesUiActions } = loaded;
    this.#offer = { tools, hooks, enrichers, content, channel, subscriptions, handlesUiActions };
    this.#knowledge = 'own';
    this.#parts.onChange(this);
    if (loaded.isReady) this.#news.works();
  }

  /** Starts it again after it ended. Its error stays visible until it works again. */
  async #revive(loaded: LoadedPlugin): Promise<void> {
    try {
      await loaded.ready();
    } catch (error) {
      if (!this.#isClosed) this.#fail(messageOf(error));
      throw error;
    }
    this.#news.works();
    if (this.#error === undefined) return;
    this.#error = undefined;
    this.#retry.reset();
    this.#parts.onChange(this);
  }

  #fail(reason: string): void {
    // It quotes what the plugin wrote before it ended.
    this.#error = this.#parts.redact(reason);
    this.#retry.begin();
    this.#parts.onChange(this);
    this.#news.fails('error', this.#error);
  }

  #onStateChange({ state, reason, isKilled = false }: Parameters<RuntimeContext['onStateChange']>[0]): void {
    if (!this.#loaded) return;
    // What the host ended itself is told by the end of the call that it did not let go on.
    if (state === 'stopped' && !isKilled && !this.#loaded.isReady)
      this.#news.fails('crashed', reason === undefined ? undefined : this.#parts.redact(reason));
    if (state !== 'tools-changed') return;
    this.#isFresh = false;
    this.#take(this.#loaded);
  }
}
