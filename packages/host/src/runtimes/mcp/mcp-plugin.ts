import { isDeepStrictEqual } from 'node:util';
import {
  type ContentRequest,
  type JsonObject,
  messageOf,
  NO_CONTENT,
  type PluginContent,
  type ToolDefinition,
} from '@toolpost/protocol';
import type { ContentContext } from '@toolpost/sdk';
import { createToolPins, type ToolPins } from '../../trust/tool-pins.ts';
import { type LifeParts, PluginLives } from '../plugin-lives.ts';
import {
  type DiscoveredPlugin,
  type HookAnswer,
  type LoadedPlugin,
  PluginCrash,
  type RunningProcess,
  type RuntimeCallContext,
  type RuntimeContext,
  type WithheldTool,
} from '../runtime.ts';
import { AppPages, withPage } from './app-pages.ts';
import { checkOutput } from './check-output.ts';
import { judgeTools, type KnownTools, watchPins } from './known-tools.ts';
import { McpConnection } from './mcp-connection.ts';
import type { Introduction } from './protocol-eras.ts';
import { createRefreshPacer } from './refresh-pacer.ts';
import { EndedAtDiscover, toStartError, withLastWords } from './start-error.ts';
import { limitStart } from './start-limit.ts';
import type { Transport, TransportParts } from './transport.ts';

export interface McpPluginOptions {
  readonly plugin: DiscoveredPlugin;
  readonly context: RuntimeContext;
  readonly introduction: Introduction;
  openTransport(parts: TransportParts): Promise<Transport>;
}

/** A connection, and the server's tools as they may be used. */
interface Begun {
  readonly life: McpConnection;
  readonly offer: KnownTools;
}

/** An MCP server over all the lives of its connection. */
export class McpPlugin implements LoadedPlugin {
  readonly hooks = [];
  readonly enrichers = [];
  readonly #options: McpPluginOptions;
  readonly #lives: PluginLives<McpConnection, KnownTools>;
  readonly #pins: ToolPins;
  readonly #pacer = createRefreshPacer(() => this.#refresh());
  readonly #pages: AppPages;
  #known: KnownTools | undefined;
  #stopWatching: (() => void) | undefined;
  /** It ended when it was asked about the later era. */
  #skipsDiscover = false;

  /** @throws HostError when it does not start. */
  static async start(options: McpPluginOptions): Promise<McpPlugin> {
    const plugin = new McpPlugin(options);
    await plugin.#lives.begin();
    return plugin;
  }

  private constructor(options: McpPluginOptions) {
    const { context, plugin } = options;
    this.#options = options;
    this.#pins = createToolPins(context.homeDir, plugin.id);
    this.#lives = new PluginLives({
      pluginId: plugin.id,
      context,
      begin: (parts) => this.#begin(parts),
      learn: (known) => this.#learn(known),
    });
    this.#pages = new AppPages(this.#lives.context, async (uri, abortSignal) => {
      const connection = this.#lives.current;
      if (!connection) throw new Error('the server has ended');
      return connection.answerContent({ kind: 'resource', uri }, { abortSignal });
    });
  }

  get tools(): readonly ToolDefinition[] {
    return this.#known?.definitions ?? [];
  }

  get withheld(): readonly WithheldTool[] {
    return this.#known?.withheld ?? [];
  }

  get problems(): readonly string[] {
    return this.#known?.problems ?? [];
  }

  get warnings(): readonly string[] {
    return this.#known?.warnings ?? [];
  }

  get content(): PluginContent {
    return this.#known?.content ?? NO_CONTENT;
  }

  get process(): RunningProcess | undefined {
    return this.#lives.process;
  }

  get isReady(): boolean {
    return this.#lives.isReady;
  }

  ready(): Promise<void> {
    return this.#lives.ready();
  }

  async execute(tool: ToolDefinition, input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    const connection = this.#lives.current;
    if (!connection?.isOpen || !this.#known) throw this.#lives.crash('ended before the call was sent');
    const serverTool = this.#known.find(tool.name);
    const page = this.#pages.pageOf(serverTool.definition);
    const result = await connection.call(serverTool, input, context);
    return withPage(await checkOutput(serverTool.definition, result, this.#lives.context), await page);
  }

  async answerContent(request: ContentRequest, context: ContentContext): Promise<unknown> {
    const connection = this.#lives.current;
    if (!connection?.isOpen) throw this.#lives.crash('does not run');
    return connection.answerContent(request, { asker: context, abortSignal: context.abortSignal });
  }

  runHook(): Promise<HookAnswer> {
    return Promise.reject(new Error('an MCP server has no hooks'));
  }

  enrich(): Promise<unknown> {
    return Promise.reject(new Error('an MCP server adds nothing to prompts'));
  }

  close(): Promise<void> {
    const closed = this.#lives.close();
    this.#pacer.stop();
    this.#unwatch();
    return closed;
  }

  /** Opens a connection and reads the list. A server that minded the question about its era is not asked again. */
  async #begin(parts: LifeParts): Promise<Begun> {
    const { id } = this.#options.plugin;
    try {
      return await this.#connect(parts);
    } catch (error) {
      const mayHaveMindedTheQuestion = error instanceof EndedAtDiscover && !this.#skipsDiscover;
      if (!mayHaveMindedTheQuestion) throw toStartError(error, id);
      this.#skipsDiscover = true;
    }
    return this.#connect(parts).catch((error: unknown) => {
      throw toStartError(error, id);
    });
  }

  /** Within the plugin's `startTimeoutMs`. */
  async #connect(parts: LifeParts): Promise<Begun> {
    const limit = limitStart(this.#options.plugin.manifest.startTimeoutMs, parts.abortSignal);
    let connection: McpConnection | undefined;
    try {
      limit.signal.throwIfAborted();
      connection = await this.#open({ ...parts, abortSignal: limit.signal });
      const list = await Promise.race([connection.begin(), limit.promise]);
      const offer = await judgeTools(list, this.#judgeOptions());
      limit.signal.throwIfAborted();
      this.#skipsDiscover = connection.session?.era === 'session';
      return { life: connection, offer };
    } catch (error) {
      if (!connection) throw error;
      const lastWords = error instanceof PluginCrash ? [] : (connection.process?.lastStderr ?? []);
      await connection.kill('could not be started');
      if (error instanceof PluginCrash && !connection.session && !limit.signal.aborted)
        throw new EndedAtDiscover(error);
      throw lastWords.length === 0 ? error : withLastWords(error, lastWords);
    } finally {
      limit.clear();
    }
  }

  #open({ context, abortSignal, onEnd }: LifeParts): Promise<McpConnection> {
    const { plugin, introduction, openTransport } = this.#options;
    return McpConnection.open({
      pluginId: plugin.id,
      introduction,
      skipsDiscover: this.#skipsDiscover,
      openTransport: (handlers) => openTransport({ context, handlers, abortSignal }),
      log: context.log,
      onChanged: () => this.#pacer.notice(),
      onEnd,
    });
  }

  /** The server says that its tools have changed: the list is replaced as a whole (fault H 73). */
  async #refresh(): Promise<void> {
    const connection = this.#lives.current;
    if (!connection?.isOpen) return;
    const { context, signal } = this.#lives;
    // One that does not answer this time would never be asked again.
    const limit = limitStart(this.#options.plugin.manifest.startTimeoutMs, signal);
    try {
      const known = await judgeTools(await Promise.race([connection.list(), limit.promise]), this.#judgeOptions());
      const isNews = connection === this.#lives.current && this.#learn(known);
      if (isNews) context.onStateChange({ state: 'tools-changed' });
    } catch (error) {
      context.log(`its tools could not be listed again: ${messageOf(error)}`, 'warn');
    } finally {
      limit.clear();
    }
  }

  /** @returns whether people should be told. */
  #learn(known: KnownTools): boolean {
    const before = this.#known;
    this.#known = known;
    this.#pages.forget();
    const waits = known.withheld.length > 0 && !this.#lives.signal.aborted;
    if (waits) this.#stopWatching ??= watchPins(this.#pins, () => void this.#refresh());
    else this.#unwatch();
    return known.warnings.length > 0 || !isDeepStrictEqual(partsOf(before), partsOf(known));
  }

  #unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #judgeOptions(): Parameters<typeof judgeTools>[1] {
    const { id: pluginId, manifest } = this.#options.plugin;
    return { pluginId, pins: this.#pins, isPinned: manifest.pin !== false };
  }
}

/** What others see of it. */
function partsOf(known: KnownTools | undefined): unknown[] {
  return [known?.definitions, known?.withheld, known?.problems, known?.content];
}
