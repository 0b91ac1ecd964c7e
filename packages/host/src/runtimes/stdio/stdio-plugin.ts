import { isDeepStrictEqual } from 'node:util';
import {
  type ActivateAnswer,
  type ContentRequest,
  type HookDeclaration,
  type JsonObject,
  NO_CONTENT,
  type PluginContent,
  type ToolDefinition,
  type UiAction,
} from '@toolpost/protocol';
import type {
  BusContext,
  BusMessage,
  ContentContext,
  LogLevel,
  ToolPreviewContext,
  UiActionContext,
} from '@toolpost/sdk';
import { type Backoff, createBackoff } from '../../processes/backoff.ts';
import { createQuietLog } from '../../processes/quiet-log.ts';
import type { Launch } from '../plugin-pipe.ts';
import type { ProcessExtension } from '../process-extension.ts';
import {
  type DiscoveredPlugin,
  type EnricherOffer,
  type EnricherSession,
  type HookAnswer,
  type HookEvent,
  type LoadedPlugin,
  PluginCrash,
  type RunningProcess,
  type RuntimeCallContext,
  type RuntimeContext,
  type UiActionAnswer,
} from '../runtime.ts';
import { contentParams, type Dialogue, enrichParams, onAbortOf, previewParams, uiActionParams } from './dialogue.ts';
import { PluginProcess } from './plugin-process.ts';
import { createSerialQueue } from './serial-queue.ts';

export interface StdioPluginOptions {
  plugin: DiscoveredPlugin;
  context: RuntimeContext;
  launch: Launch;
  extension?: ProcessExtension | undefined;
}

/** A stdio plugin over all its lives: the process that runs now, and how the next one is started. */
export class StdioPlugin implements LoadedPlugin {
  readonly #options: StdioPluginOptions;
  readonly #backoff: Backoff = createBackoff();
  /** For version 1, where hooks and calls share the one place in flight. */
  readonly #queue = createSerialQueue();
  readonly #closing = new AbortController();
  /** Aborts when it is closed, and as soon as the host closes. */
  readonly #signal: AbortSignal;
  #process: PluginProcess | undefined;
  #starting: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #tools: readonly ToolDefinition[] = [];
  #problems: readonly string[] = [];
  #hooks: readonly HookDeclaration[] = [];
  #enrichers: readonly EnricherOffer[] = [];
  #content: PluginContent = NO_CONTENT;
  #subscriptions: readonly string[] = [];
  #handlesUiActions = false;
  #maxConcurrentCalls = 1;
  #starts = 0;

  /** @throws HostError when it does not start. */
  static async start(options: StdioPluginOptions): Promise<StdioPlugin> {
    const plugin = new StdioPlugin(options);
    plugin.#learn(await plugin.#startProcess());
    return plugin;
  }

  private constructor(options: StdioPluginOptions) {
    const { context } = options;
    // A plugin may fill its output with what is nobody's answer, and each note of it is a write.
    const log = createQuietLog((message: string, level?: LogLevel) => context.log(message, level));
    this.#options = { ...options, context: { ...context, log } };
    this.#signal = context.closing ? AbortSignal.any([this.#closing.signal, context.closing]) : this.#closing.signal;
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get hooks(): readonly HookDeclaration[] {
    return this.#hooks;
  }

  get enrichers(): readonly EnricherOffer[] {
    return this.#enrichers;
  }

  get content(): PluginContent {
    return this.#content;
  }

  get subscriptions(): readonly string[] {
    return this.#subscriptions;
  }

  get handlesUiActions(): boolean {
    return this.#handlesUiActions;
  }

  get maxConcurrentCalls(): number {
    return this.#maxConcurrentCalls;
  }

  get process(): RunningProcess | undefined {
    const running = this.isReady ? this.#process?.running : undefined;
    return running && { ...running, starts: this.#starts };
  }

  get isReady(): boolean {
    return this.#process?.dialogue !== undefined;
  }

  async ready(): Promise<void> {
    if (this.#signal.aborted) throw new PluginCrash(`The plugin ${this.#options.plugin.id} is closed.`);
    if (this.isReady) return;
    this.#starting ??= this.#restart().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  execute(tool: ToolDefinition, _input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    const dialogue = this.#process?.dialogue;
    if (dialogue && dialogue.maxConcurrentCalls > 1) return dialogue.call(tool, context);
    return this.#inTurn(
      (running) => running.call(tool, context),
      (listener) => context.onAbort(listener),
    );
  }

  async preview(tool: ToolDefinition, input: JsonObject, context: ToolPreviewContext): Promise<unknown> {
    if (!this.isReady) await this.ready();
    return this.#process?.dialogue?.preview?.(previewParams(tool, input, context), context.abortSignal);
  }

  runHook(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer> {
    const dialogue = this.#process?.dialogue;
    if (dialogue && dialogue.maxConcurrentCalls > 1) return dialogue.hook(event, abortSignal);
    return this.#inTurn(
      (running) => running.hook(event, abortSignal),
      (listener) => onAbortOf(abortSignal, listener),
    );
  }

  enrich(name: string, session: EnricherSession, abortSignal: AbortSignal): Promise<unknown> {
    const params = enrichParams(name, session);
    const dialogue = this.#process?.dialogue;
    if (dialogue && dialogue.maxConcurrentCalls > 1) return dialogue.enrich(params, abortSignal);
    return this.#inTurn(
      (running) => running.enrich(params, abortSignal),
      (listener) => onAbortOf(abortSignal, listener),
    );
  }

  handleUiAction(action: UiAction, { session, abortSignal }: UiActionContext): Promise<UiActionAnswer> {
    const params = uiActionParams(action, session);
    const dialogue = this.#process?.dialogue;
    if (dialogue && dialogue.maxConcurrentCalls > 1) return dialogue.uiAction(params, abortSignal);
    return this.#inTurn(
      (running) => running.uiAction(params, abortSignal),
      (listener) => onAbortOf(abortSignal, listener),
    );
  }

  async answerContent(request: ContentRequest, { session, abortSignal }: ContentContext): Promise<unknown> {
    const dialogue = this.#process?.dialogue;
    if (!dialogue?.content) throw new PluginCrash(`The plugin ${this.#options.plugin.id} does not run.`);
    return dialogue.content(contentParams(request, session), abortSignal);
  }

  async receive(message: BusMessage, context: BusContext): Promise<void> {
    const dialogue = this.#process?.dialogue;
    if (!dialogue?.message) throw new PluginCrash(`The plugin ${this.#options.plugin.id} does not run.`);
    return dialogue.message(message, context);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Waits for the turn and for a running process. What was given up meanwhile is never sent. */
  async #inTurn<T>(send: (running: Dialogue) => Promise<T>, onAbort: (listener: () => void) => () => void): Promise<T> {
    let isAborted = false;
    const stopListening = onAbort(() => {
      isAborted = true;
    });
    return this.#queue.run(async () => {
      if (!this.isReady) await this.ready();
      stopListening();
      const dialogue = this.#process?.dialogue;
      if (isAborted) throw new Error('given up before it was sent');
      if (!dialogue) throw new PluginCrash(`The plugin ${this.#options.plugin.id} ended before the call was sent.`);
      return send(dialogue);
    });
  }

  async #restart(): Promise<void> {
    // The former process may still be ending; two at once would fight over files and ports.
    await this.#process?.kill('is being replaced');
    try {
      await this.#backoff.wait(this.#signal);
      this.#options.context.checkBeforeRestart?.();
      await this.#options.context.resolveSettings?.();
      const before = [this.#tools, this.#content];
      this.#learn(await this.#startProcess());
      if (!isDeepStrictEqual(before, [this.#tools, this.#content]))
        this.#options.context.onStateChange({ state: 'tools-changed' });
    } catch (error) {
      this.#backoff.failed();
      throw new PluginCrash(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  async #startProcess(): Promise<ActivateAnswer> {
    const { context } = this.#options;
    const { process, answer } = await PluginProcess.start({
      ...this.#options,
      abortSignal: this.#signal,
      onEnd: (crash, isKilled) => {
        if (!isKilled) this.#backoff.failed();
        context.onStateChange({ state: 'stopped', reason: crash.message, isKilled });
      },
    });
    this.#process = process;
    this.#starts += 1;
    this.#backoff.started();
    return answer;
  }

  #learn(answer: ActivateAnswer): void {
    const { tools, refusedTools, hooks, enrichers, content, subscriptions, protocolVersion } = answer;
    this.#tools = tools;
    this.#problems = refusedTools;
    this.#hooks = hooks;
    this.#handlesUiActions = answer.handlesUiActions;
    this.#enrichers = enrichers;
    // Only version 2 has words to ask for it.
    this.#content = protocolVersion === 1 ? NO_CONTENT : content;
    this.#subscriptions = protocolVersion === 1 ? [] : subscriptions;
    this.#maxConcurrentCalls = protocolVersion === 1 ? 1 : Number.POSITIVE_INFINITY;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new PluginCrash(`The plugin ${this.#options.plugin.id} is being closed.`));
    await this.#starting?.catch(() => {});
    await this.#process?.stop();
  }
}
