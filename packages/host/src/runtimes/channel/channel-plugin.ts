import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, messageOf, type Permission, type ToolDefinition, type UiAction } from '@toolpost/protocol';
import type { BusContext, BusMessage, ToolPreviewContext, UiActionContext } from '@toolpost/sdk';
import type { LoadProcess, ProcessExtension, ProcessLink } from '../process-extension.ts';
import {
  type DiscoveredPlugin,
  type EnricherSession,
  type HookEvent,
  type LoadedPlugin,
  NOT_HANDLED,
  type OfferedChannel,
  PluginCrash,
  type RunningProcess,
  type RuntimeCallContext,
  type RuntimeContext,
  type UiActionAnswer,
} from '../runtime.ts';
import { ChannelLife } from './channel-life.ts';
import { configuredOf } from './configured-of.ts';
import { assertPermitted, LacksPermission } from './declarations.ts';

export interface ChannelPluginOptions {
  readonly plugin: DiscoveredPlugin;
  readonly context: RuntimeContext;
  readonly loadProcess: LoadProcess;
}

/**
 * A channel over all its lives. What a life declared ends with it; a life that crashes is followed by another one
 * without being asked, since people wait behind a channel.
 */
export class ChannelPlugin implements LoadedPlugin, ProcessExtension {
  readonly #options: ChannelPluginOptions;
  #process: LoadedPlugin | undefined;
  #name: string | undefined;
  #life: ChannelLife | undefined;
  #problem: string | undefined;
  /** It may not be a channel. */
  #isRefused = false;
  #reserved: readonly ToolDefinition[] = [];
  #told: unknown;
  /** It was a channel in use when it ended, so that it is started again. */
  #wasOpen = false;
  #isLoaded = false;
  #isClosing = false;

  /** @throws HostError when it does not start. */
  static async load(options: ChannelPluginOptions): Promise<LoadedPlugin> {
    const loaded = new ChannelPlugin(options);
    const { plugin, context, loadProcess } = options;
    const onStateChange: RuntimeContext['onStateChange'] = (change) => {
      if (change.state === 'stopped') loaded.#onStopped();
      context.onStateChange(change);
    };
    loaded.#process = await loadProcess(plugin, { ...context, onStateChange }, loaded);
    await loaded.#life?.settled;
    loaded.#told = loaded.channel;
    loaded.#isLoaded = true;
    return loaded;
  }

  private constructor(options: ChannelPluginOptions) {
    this.#options = options;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#running.tools;
  }

  get hooks() {
    return this.#running.hooks;
  }

  get enrichers() {
    return this.#running.enrichers;
  }

  get subscriptions() {
    return this.#running.subscriptions;
  }

  get channel(): OfferedChannel | undefined {
    if (this.#name === undefined) return undefined;
    const { tools = [], prompt = [], widgets = [] } = this.#life?.declarations ?? {};
    const isEnabled = this.#options.context.channels?.configOf(this.#name) !== undefined;
    const isOpen = this.#life !== undefined;
    return { name: this.#name, isEnabled, isOpen, tools, prompt, widgets, reserved: this.#reserved };
  }

  get problems(): readonly string[] {
    const own = this.#problem === undefined ? [] : [this.#problem];
    return [...(this.#running.problems ?? []), ...own, ...(this.#life?.problems ?? [])];
  }

  get lacked(): ReadonlySet<Permission> {
    return this.#isRefused ? new Set(['channels.register']) : (this.#life?.lacked ?? new Set());
  }

  /** Many requests may be open; the one place of a version 1 process is kept by the process itself. */
  get maxConcurrentCalls(): number {
    return this.#life ? Number.POSITIVE_INFINITY : (this.#running.maxConcurrentCalls ?? Number.POSITIVE_INFINITY);
  }

  get process(): RunningProcess | undefined {
    return this.#process?.process;
  }

  get isReady(): boolean {
    return this.#running.isReady && this.#life?.isSettled !== false;
  }

  async ready(): Promise<void> {
    await this.#running.ready();
    await this.#life?.settled;
  }

  execute(tool: ToolDefinition, input: JsonObject, context: RuntimeCallContext): unknown {
    if (this.#isOwn(tool)) return this.#executeOwn(tool, context);
    return this.#running.execute(tool, input, context);
  }

  async preview(tool: ToolDefinition, input: JsonObject, context: ToolPreviewContext): Promise<unknown> {
    if (!this.#isOwn(tool)) return this.#running.preview?.(tool, input, context);
    return this.#life?.preview(tool, input, context);
  }

  runHook(event: HookEvent, abortSignal: AbortSignal) {
    return this.#running.runHook(event, abortSignal);
  }

  enrich(name: string, session: EnricherSession, abortSignal: AbortSignal) {
    return this.#running.enrich(name, session, abortSignal);
  }

  async handleUiAction(action: UiAction, context: UiActionContext): Promise<UiActionAnswer> {
    if (this.#life) return this.#life.handleUiAction(action, context);
    return (await this.#running.handleUiAction?.(action, context)) ?? NOT_HANDLED;
  }

  async receive(message: BusMessage, context: BusContext): Promise<void> {
    await this.#running.receive?.(message, context);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#process?.close();
  }

  onActivated(link: ProcessLink): void {
    const { plugin, context } = this.#options;
    const { manifest } = plugin;
    const provider = link.answer.channelProvider;
    this.#name = undefined;
    this.#problem = undefined;
    this.#isRefused = false;
    if (!provider) return;
    const declared = manifest.contributes.channelProvider?.name;
    if (declared !== undefined && declared !== provider.name)
      throw new TypeError(`it is the channel "${provider.name}", and its plugin.json says "${declared}"`);
    const given = context.channels?.configOf(provider.name);
    try {
      assertPermitted(manifest, 'channels.register', `its channel "${provider.name}"`);
      if (given) context.channels?.claim(provider.name, plugin.id);
      this.#name = provider.name;
    } catch (error) {
      this.#isRefused = error instanceof LacksPermission;
      if (!this.#isRefused) this.#problem = messageOf(error);
      return;
    }
    if (!given || !context.channels) return;
    this.#life = new ChannelLife({
      ...{ name: provider.name, manifest, link, host: context.channels },
      config: configuredOf(given, provider.configSchema ?? manifest.contributes.channelProvider?.configSchema),
      log: (message, level) => context.log(message, level),
      onDeclared: () => this.#tell(),
    });
    void this.#life.settled.then(() => {
      this.#reserved = [];
      this.#tell();
    });
    this.#life.open();
  }

  onMessage(message: JsonObject): boolean {
    return this.#life?.onMessage(message) === true;
  }

  onOverlong(reason: string, head: string): boolean {
    return this.#life?.onOverlong(reason, head) === true;
  }

  onEnded(crash: PluginCrash): void {
    const life = this.#life;
    if (!life) return;
    this.#life = undefined;
    this.#wasOpen = true;
    this.#reserved = this.#isClosing ? [] : [...life.declarations.tools];
    life.end(crash);
    if (this.#name !== undefined) this.#options.context.channels?.release(this.#name, this.#options.plugin.id);
    this.#tell();
  }

  get #running(): LoadedPlugin {
    if (this.#process) return this.#process;
    throw new PluginCrash(`The plugin ${this.#options.plugin.id} does not run.`);
  }

  /** It was declared as the channel's, and not when the process started. */
  #isOwn({ name, channels }: ToolDefinition): boolean {
    return channels !== undefined && !this.tools.some((tool) => tool.name === name);
  }

  #executeOwn(tool: ToolDefinition, context: RuntimeCallContext): Promise<unknown> {
    const isDeclared = this.#life?.declarations.tools.some(({ name }) => name === tool.name);
    if (!this.#options.context.channels)
      throw new Error(
        `The channel ${this.#name ?? ''} is another tenant's, and its tool ${tool.name} with it: with "sharedAcrossTenants": true the plugin.json of ${this.#options.plugin.id} lets one process serve all.`,
      );
    if (!this.#life) throw new PluginCrash(`The channel of the plugin ${this.#options.plugin.id} does not run.`);
    if (isDeclared) return this.#life.call(tool, context);
    throw new Error(`The channel ${this.#name ?? ''} no longer has the tool ${tool.name}: list the tools again.`);
  }

  /** Tells the host of what is offered now, when it differs from what it was told. */
  #tell(): void {
    const now = this.channel;
    if (!this.#isLoaded || this.#isClosing || isDeepStrictEqual(now, this.#told)) return;
    this.#told = now;
    this.#options.context.onStateChange({ state: 'tools-changed' });
  }

  #onStopped(): void {
    if (!this.#wasOpen || this.#isClosing) return;
    void this.#keepRunning();
  }

  /** Each try waits by itself, longer after each crash. */
  async #keepRunning(): Promise<void> {
    while (!this.#isClosing) {
      try {
        await this.#running.ready();
        return;
      } catch (error) {
        if (this.#isClosing) return;
        this.#options.context.log(`not started again: ${error instanceof Error ? error.message : error}`, 'warn');
      }
    }
  }
}
