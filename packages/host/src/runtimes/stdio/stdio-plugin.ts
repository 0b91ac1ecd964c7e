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
import type { BusContext, BusMessage, ContentContext, ToolPreviewContext, UiActionContext } from '@toolpost/sdk';
import { PluginLives } from '../plugin-lives.ts';
import type { Launch } from '../plugin-pipe.ts';
import type { ProcessExtension } from '../process-extension.ts';
import type {
  DiscoveredPlugin,
  EnricherOffer,
  EnricherSession,
  HookAnswer,
  HookEvent,
  LoadedPlugin,
  RunningProcess,
  RuntimeCallContext,
  RuntimeContext,
  UiActionAnswer,
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

type Offer = Pick<
  ActivateAnswer,
  'tools' | 'refusedTools' | 'hooks' | 'enrichers' | 'content' | 'subscriptions' | 'handlesUiActions'
> & { readonly maxConcurrentCalls: number };

/** Runs something in the dialogue with the plugin's process. */
type Send<T> = (dialogue: Dialogue) => Promise<T>;
/** Calls the listener at once when it is given up already. Returns a function that removes it. */
type OnAbort = (listener: () => void) => () => void;

/** A stdio plugin over all the lives of its process. */
export class StdioPlugin implements LoadedPlugin {
  readonly #lives: PluginLives<PluginProcess, ActivateAnswer>;
  /** For version 1, where hooks and calls share the one place in flight. */
  readonly #queue = createSerialQueue();
  #offer: Offer | undefined;

  /** @throws HostError when it does not start. */
  static async start(options: StdioPluginOptions): Promise<StdioPlugin> {
    const plugin = new StdioPlugin(options);
    await plugin.#lives.begin();
    return plugin;
  }

  private constructor(options: StdioPluginOptions) {
    this.#lives = new PluginLives({
      pluginId: options.plugin.id,
      context: options.context,
      async begin(parts) {
        const { process, answer } = await PluginProcess.start({ ...options, ...parts });
        return { life: process, offer: answer };
      },
      learn: (answer) => this.#learn(answer),
    });
  }

  get tools(): readonly ToolDefinition[] {
    return this.#offer?.tools ?? [];
  }

  get problems(): readonly string[] {
    return this.#offer?.refusedTools ?? [];
  }

  get hooks(): readonly HookDeclaration[] {
    return this.#offer?.hooks ?? [];
  }

  get enrichers(): readonly EnricherOffer[] {
    return this.#offer?.enrichers ?? [];
  }

  get content(): PluginContent {
    return this.#offer?.content ?? NO_CONTENT;
  }

  get subscriptions(): readonly string[] {
    return this.#offer?.subscriptions ?? [];
  }

  get handlesUiActions(): boolean {
    return this.#offer?.handlesUiActions ?? false;
  }

  get maxConcurrentCalls(): number {
    return this.#offer?.maxConcurrentCalls ?? 1;
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

  execute(tool: ToolDefinition, _input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    return this.#send(
      (dialogue) => dialogue.call(tool, context),
      (listener) => context.onAbort(listener),
    );
  }

  async preview(tool: ToolDefinition, input: JsonObject, context: ToolPreviewContext): Promise<unknown> {
    if (!this.isReady) await this.ready();
    return this.#dialogue?.preview?.(previewParams(tool, input, context), context.abortSignal);
  }

  runHook(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer> {
    return this.#ask((dialogue) => dialogue.hook(event, abortSignal), abortSignal);
  }

  enrich(name: string, session: EnricherSession, abortSignal: AbortSignal): Promise<unknown> {
    return this.#ask((dialogue) => dialogue.enrich(enrichParams(name, session), abortSignal), abortSignal);
  }

  handleUiAction(action: UiAction, { session, abortSignal }: UiActionContext): Promise<UiActionAnswer> {
    return this.#ask((dialogue) => dialogue.uiAction(uiActionParams(action, session), abortSignal), abortSignal);
  }

  async answerContent(request: ContentRequest, { session, abortSignal }: ContentContext): Promise<unknown> {
    const dialogue = this.#dialogue;
    if (!dialogue?.content) throw this.#lives.crash('does not run');
    return dialogue.content(contentParams(request, session), abortSignal);
  }

  async receive(message: BusMessage, context: BusContext): Promise<void> {
    const dialogue = this.#dialogue;
    if (!dialogue?.message) throw this.#lives.crash('does not run');
    return dialogue.message(message, context);
  }

  close(): Promise<void> {
    return this.#lives.close();
  }

  get #dialogue(): Dialogue | undefined {
    return this.#lives.current?.dialogue;
  }

  #ask<T>(send: Send<T>, abortSignal: AbortSignal): Promise<T> {
    return this.#send(send, (listener) => onAbortOf(abortSignal, listener));
  }

  /** Sends at once where the plugin takes many at once, else in turn. */
  #send<T>(send: Send<T>, onAbort: OnAbort): Promise<T> {
    const dialogue = this.#dialogue;
    return dialogue && dialogue.maxConcurrentCalls > 1 ? send(dialogue) : this.#sendInTurn(send, onAbort);
  }

  /** Waits for the turn and for a running process. What was given up meanwhile is never sent. */
  async #sendInTurn<T>(send: Send<T>, onAbort: OnAbort): Promise<T> {
    let isAborted = false;
    const stopListening = onAbort(() => {
      isAborted = true;
    });
    return this.#queue.run(async () => {
      if (!this.isReady) await this.ready();
      stopListening();
      const dialogue = this.#dialogue;
      if (isAborted) throw new Error('given up before it was sent');
      if (!dialogue) throw this.#lives.crash('ended before the call was sent');
      return send(dialogue);
    });
  }

  #learn(answer: ActivateAnswer): boolean {
    const isVersionOne = answer.protocolVersion === 1;
    const before = this.#offer;
    this.#offer = {
      ...answer,
      // Only version 2 has words to ask for these.
      ...(isVersionOne && { content: NO_CONTENT, subscriptions: [] }),
      maxConcurrentCalls: isVersionOne ? 1 : Number.POSITIVE_INFINITY,
    };
    const { tools, content } = this.#offer;
    return !isDeepStrictEqual([before?.tools, before?.content], [tools, content]);
  }
}
