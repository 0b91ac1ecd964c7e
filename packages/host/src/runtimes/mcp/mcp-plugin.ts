import { isDeepStrictEqual } from 'node:util';
import {
  type ContentRequest,
  type JsonObject,
  NO_CONTENT,
  type PluginContent,
  type ToolDefinition,
} from '@toolpost/protocol';
import type { ContentContext } from '@toolpost/sdk';
import { type Backoff, createBackoff } from '../../processes/backoff.ts';
import { createQuietLog } from '../../processes/quiet-log.ts';
import { createToolPins, type ToolPins } from '../../trust/tool-pins.ts';
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

/** An MCP server over all its lives: the connection that is open now, and how the next one is opened. */
export class McpPlugin implements LoadedPlugin {
  readonly hooks = [];
  readonly enrichers = [];
  readonly #options: McpPluginOptions;
  readonly #pins: ToolPins;
  readonly #backoff: Backoff = createBackoff();
  readonly #closing = new AbortController();
  /** Aborts when it is closed, and as soon as the host closes. */
  readonly #signal: AbortSignal;
  readonly #pacer = createRefreshPacer(() => this.#refresh());
  readonly #pages: AppPages;
  #connection: McpConnection | undefined;
  #known: KnownTools | undefined;
  #starting: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #stopWatching: (() => void) | undefined;
  /** It ended when it was asked about the later era. */
  #skipsDiscover = false;
  #starts = 0;

  /** @throws HostError when it does not start. */
  static async start(options: McpPluginOptions): Promise<McpPlugin> {
    const plugin = new McpPlugin(options);
    plugin.#learn(await plugin.#connect());
    return plugin;
  }

  private constructor(options: McpPluginOptions) {
    const { context, plugin } = options;
    // A server may log without end, and each note is a write.
    const log = createQuietLog<Parameters<RuntimeContext['log']>[1]>((...note) => context.log(...note));
    this.#options = { ...options, context: { ...context, log } };
    this.#signal = context.closing ? AbortSignal.any([this.#closing.signal, context.closing]) : this.#closing.signal;
    this.#pins = createToolPins(context.homeDir, plugin.id);
    this.#pages = new AppPages(this.#options.context, async (uri, abortSignal) => {
      if (!this.#connection) throw new Error('the server has ended');
      return this.#connection.answerContent({ kind: 'resource', uri }, { abortSignal });
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
    const running = this.isReady ? this.#connection?.process : undefined;
    return running && { ...running, starts: this.#starts };
  }

  get isReady(): boolean {
    return this.#connection?.isOpen === true;
  }

  async ready(): Promise<void> {
    if (this.#signal.aborted) throw new PluginCrash(`The plugin ${this.#options.plugin.id} is closed.`);
    if (this.isReady) return;
    this.#starting ??= this.#restart().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  async execute(tool: ToolDefinition, input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    const connection = this.#connection;
    if (!connection?.isOpen || !this.#known)
      throw new PluginCrash(`The plugin ${this.#options.plugin.id} ended before the call was sent.`);
    const serverTool = this.#known.find(tool.name);
    const page = this.#pages.pageOf(serverTool.definition);
    const result = await connection.call(serverTool, input, context);
    return withPage(await checkOutput(serverTool.definition, result, this.#options.context), await page);
  }

  async answerContent(request: ContentRequest, context: ContentContext): Promise<unknown> {
    const connection = this.#connection;
    if (!connection?.isOpen) throw new PluginCrash(`The plugin ${this.#options.plugin.id} does not run.`);
    return connection.answerContent(request, { asker: context, abortSignal: context.abortSignal });
  }

  runHook(): Promise<HookAnswer> {
    return Promise.reject(new Error('an MCP server has no hooks'));
  }

  enrich(): Promise<unknown> {
    return Promise.reject(new Error('an MCP server adds nothing to prompts'));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #restart(): Promise<void> {
    const { context } = this.#options;
    // The former process may still be ending; two at once would fight over files and ports.
    await this.#connection?.kill('is being replaced');
    try {
      await this.#backoff.wait(this.#signal);
      context.checkBeforeRestart?.();
      this.#replace(await this.#connect());
    } catch (error) {
      this.#backoff.failed();
      throw new PluginCrash(messageOf(error), { cause: error });
    }
  }

  /** Opens a connection and reads the list, within the plugin's `startTimeoutMs`. */
  async #connect(): Promise<KnownTools> {
    try {
      return await this.#connectOnce();
    } catch (error) {
      const mayHaveMindedTheQuestion = error instanceof EndedAtDiscover && !this.#skipsDiscover;
      if (!mayHaveMindedTheQuestion) throw toStartError(error, this.#options.plugin.id);
      this.#skipsDiscover = true;
    }
    return this.#connectOnce().catch((error: unknown) => {
      throw toStartError(error, this.#options.plugin.id);
    });
  }

  async #connectOnce(): Promise<KnownTools> {
    const limit = limitStart(this.#options.plugin.manifest.startTimeoutMs, this.#signal);
    let connection: McpConnection | undefined;
    try {
      limit.signal.throwIfAborted();
      connection = await McpConnection.open(this.#connectionOptions(limit.signal));
      const list = await Promise.race([connection.begin(), limit.promise]);
      const known = await judgeTools(list, this.#judgeOptions());
      limit.signal.throwIfAborted();
      this.#connection = connection;
      this.#starts += 1;
      this.#backoff.started();
      this.#skipsDiscover = connection.session?.era === 'session';
      return known;
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

  /** `abortSignal`: gives up the start. */
  #connectionOptions(abortSignal: AbortSignal): Parameters<typeof McpConnection.open>[0] {
    const { plugin, context, introduction, openTransport } = this.#options;
    return {
      pluginId: plugin.id,
      introduction,
      skipsDiscover: this.#skipsDiscover,
      openTransport: (handlers) => openTransport({ context, handlers, abortSignal }),
      log: context.log,
      onChanged: () => this.#pacer.notice(),
      onEnd: (error, isKilled) => {
        if (!isKilled) this.#backoff.failed();
        context.onStateChange({ state: 'stopped', reason: error.message, isKilled });
      },
    };
  }

  /** The server says that its tools have changed: the list is replaced as a whole (fault H 73). */
  async #refresh(): Promise<void> {
    const connection = this.#connection;
    if (!connection?.isOpen) return;
    // One that does not answer this time would never be asked again.
    const limit = limitStart(this.#options.plugin.manifest.startTimeoutMs, this.#signal);
    try {
      const known = await judgeTools(await Promise.race([connection.list(), limit.promise]), this.#judgeOptions());
      if (connection === this.#connection) this.#replace(known);
    } catch (error) {
      this.#options.context.log(`its tools could not be listed again: ${messageOf(error)}`, 'warn');
    } finally {
      limit.clear();
    }
  }

  #replace(known: KnownTools): void {
    const before = this.#known;
    this.#learn(known);
    const isSame =
      isDeepStrictEqual(before?.definitions, known.definitions) &&
      isDeepStrictEqual(before?.withheld, known.withheld) &&
      isDeepStrictEqual(before?.problems, known.problems) &&
      isDeepStrictEqual(before?.content, known.content);
    if (!isSame || known.warnings.length > 0) this.#options.context.onStateChange({ state: 'tools-changed' });
  }

  #learn(known: KnownTools): void {
    this.#known = known;
    this.#pages.forget();
    const waits = known.withheld.length > 0 && !this.#signal.aborted;
    if (waits) this.#stopWatching ??= watchPins(this.#pins, () => void this.#refresh());
    else this.#unwatch();
  }

  #unwatch(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #judgeOptions(): Parameters<typeof judgeTools>[1] {
    const { id: pluginId, manifest } = this.#options.plugin;
    return { pluginId, pins: this.#pins, isPinned: manifest.pin !== false };
  }

  async #close(): Promise<void> {
    this.#closing.abort(new PluginCrash(`The plugin ${this.#options.plugin.id} is being closed.`));
    this.#pacer.stop();
    this.#unwatch();
    await this.#starting?.catch(() => undefined);
    await this.#connection?.stop();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
