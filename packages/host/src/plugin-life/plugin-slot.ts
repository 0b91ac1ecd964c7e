import { NO_CONTENT, type Permission, type PluginContent, type ToolDefinition } from '@toolpost/protocol';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { ToolRunner } from '../registry/registered-tool.ts';
import type { WithheldTool } from '../registry/withheld-tool.ts';
import {
  type DiscoveredPlugin,
  type EnricherOffer,
  type HookOffer,
  type LoadedPlugin,
  type OfferedChannel,
  PluginCrash,
  type RunningProcess,
  type Runtime,
  type RuntimeContext,
} from '../runtimes/runtime.ts';
import { createIdleWatch, type IdleWatch } from './idle-watch.ts';
import { createPluginNewsTeller, type PluginNews, type PluginNewsTeller } from './plugin-news.ts';

export type PluginState = 'discovered' | 'active' | 'inactive' | 'error';

/** Where the knowledge of a plugin's tools comes from, weakest first. */
export type Knowledge = 'none' | 'declared' | 'cached' | 'own';

export interface PluginOffer {
  readonly tools: readonly ToolDefinition[];
  readonly hooks: readonly HookOffer[];
  readonly enrichers: readonly EnricherOffer[];
  readonly content: PluginContent;
  readonly channel?: OfferedChannel | undefined;
  /** Topics of the bus that it hears of. */
  readonly subscriptions?: readonly string[] | undefined;
  /** It says that it handles what is done in its interfaces. */
  readonly handlesUiActions?: boolean | undefined;
}

export interface PluginSlotParts {
  readonly plugin: DiscoveredPlugin;
  readonly runtime: Runtime;
  readonly context: Omit<RuntimeContext, 'onStateChange' | 'closing'>;
  readonly services: PluginServices;
  /** What is known before it runs. */
  readonly known: PluginOffer & { knowledge: Knowledge };
  /** Tools that its last life listed and nobody gets. */
  readonly withheld: readonly WithheldTool[];
  readonly isDisabled: boolean;
  /** The tenant whose process it is, where one may not serve all: by the channel that it offers, once that is known. */
  readonly tenantFor?: (channel: string | undefined) => string;
  /** Ends what runs when nothing was asked of it for so long; the next call starts it again. Never when absent. */
  readonly idleMs?: number;
  /** Gives each further tenant a process of its own; absent where one serves all. */
  readonly forTenants?: (parts: PluginSlotParts, tenant: string) => PluginSlot;
  readonly redact: (text: string) => string;
  /** Resolves when the plugin that this one takes the place of has ended. */
  readonly formerEnded?: Promise<unknown>;
  /** Called whenever its offer or its state changed. */
  readonly onChange: (slot: PluginSlot) => void;
  /** Hears when it does not work as it did, and when it does again. */
  readonly onNews?: (slot: PluginSlot, news: PluginNews) => void;
}

const RETRY_AFTER_MS = 1000;
const MAX_RETRY_AFTER_MS = 60_000;
const CLOSED = { isOpen: false, tools: [], prompt: [], widgets: [], reserved: [] } as const;

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
  #failures = 0;
  #retryAtMs = 0;
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
    this.runner = this.#createRunner();
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
      return this.#parts.redact(error instanceof Error ? error.message : String(error));
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
    if (this.#error !== undefined && performance.now() < this.#retryAtMs) throw new PluginCrash(this.#error);
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
    // A channel that was stopped is gone, with all that it declared.
    this.#isFresh = false;
    if (channel) this.#offer = { ...this.#offer, channel: { ...channel, ...CLOSED } };
    this.#error = undefined;
    this.#failures = 0;
    this.#retryAtMs = 0;
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
      this.#failures = 0;
      this.#error = undefined;
      this.#isFresh = true;
      this.#take(loaded);
      return loaded;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
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

  /** Starts it again after it ended. That it does not work is told until it does. */
  async #revive(loaded: LoadedPlugin): Promise<void> {
    try {
      await loaded.ready();
    } catch (error) {
      if (!this.#isClosed) this.#fail(error instanceof Error ? error.message : String(error));
      throw error;
    }
    this.#news.works();
    if (this.#error === undefined) return;
    this.#error = undefined;
    this.#failures = 0;
    this.#parts.onChange(this);
  }

  #fail(reason: string): void {
    // It quotes what the plugin wrote before it ended.
    this.#error = this.#parts.redact(reason);
    this.#retryAtMs = performance.now() + Math.min(MAX_RETRY_AFTER_MS, RETRY_AFTER_MS * 2 ** this.#failures++);
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

  #createRunner(): ToolRunner {
    const slot = this;
    const { services, runtime } = this.#parts;
    return {
      services,
      isInProcess: runtime.isInProcess,
      get tenant() {
        return slot.tenant;
      },
      ...(this.#parts.forTenants && { forTenant: (tenant: string) => slot.forTenant(tenant).runner }),
      ...(runtime.hasPreviews && {
        // What a plugin in a process of its own has not said that it has, it is not started for.
        preview: async (tool, ...given) =>
          runtime.isInProcess || tool.hasPreview ? (await slot.load()).preview?.(tool, ...given) : undefined,
      }),
      get maxConcurrentCalls() {
        return slot.#loaded?.maxConcurrentCalls;
      },
      get isReady() {
        return slot.#loaded?.isReady ?? false;
      },
      async ready() {
        await slot.running();
      },
      acquire: (context) => slot.#loaded?.acquire?.(context),
      execute(tool, input, context) {
        if (!slot.#loaded) throw new PluginCrash(`the plugin ${slot.plugin.id} does not run`);
        const result = slot.#loaded.execute(tool, input, context);
        slot.#idle?.watch(result);
        return result;
      },
    };
  }
}
