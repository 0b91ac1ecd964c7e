import type { JsonObject, OutputStream, Session } from '@toolpost/protocol';
import type { AskAnswer, AskForm, ClientRequest, LogLevel, Sandbox, Storage } from '@toolpost/sdk';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { AbortCause, ResultSoFar, RuntimeCallContext } from '../runtimes/runtime.ts';
import { type Ask, type OpenForm, openForm } from './ask-form.ts';
import { callFromTool, type Outgoing, publishFromTool } from './beyond-call.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import type { Deadline } from './deadline.ts';
import { createOutputRelay, type OutputRelay } from './output-relay.ts';
import { createProgressRelay, type ProgressRelay } from './progress-relay.ts';
import { createSandbox } from './sandbox.ts';

type ProgressUpdate = Parameters<RuntimeCallContext['progress']>[0];
type AbortListener = (cause: AbortCause) => void;
export type RequestClient = (request: ClientRequest) => Promise<JsonObject>;

/**
 * The context of one call. Most tools use little of it, so everything that costs is made when first asked for:
 * that keeps a call within a few microseconds.
 */
export class CallContext implements RuntimeCallContext {
  readonly #path: CallPath;
  readonly #progressing: CallInProgress;
  readonly #ready: ReadyCall;
  #input: string | undefined;
  #deadline: Deadline | undefined;
  #controller: AbortController | undefined;
  /** Nearly always one, of the runtime. */
  #listeners: AbortListener[] | undefined;
  #abortCause: AbortCause | undefined;
  #soFar: ((cause: AbortCause) => ResultSoFar) | undefined;
  #relay: OutputRelay | undefined;
  #progressRelay: ProgressRelay | undefined;
  #forms: Set<OpenForm> | undefined;
  #openQuestions = 0;
  /** Calls that it has made of other tools. */
  #calls = 0;
  /** When the first of the questions that are open was asked. */
  #askedMs = 0;
  #isClosed = false;

  constructor(path: CallPath, progress: CallInProgress, ready: ReadyCall) {
    this.#path = path;
    this.#progressing = progress;
    this.#ready = ready;
  }

  get toolCallId(): string {
    return this.#progressing.call.id;
  }

  /**
   * Written anew from what was validated, never the model's own text: a key that stands there twice would be one thing to
   * the host's parser and another to the plugin's.
   */
  get input(): string {
    this.#input ??= JSON.stringify(this.#ready.input);
    return this.#input;
  }

  /** The journal quotes the model's text, which mostly is this one. */
  get quotedInput(): string {
    const { call, trace } = this.#progressing;
    const quoted = JSON.stringify(this.input);
    if (call.arguments === this.input) trace.quotedArguments = quoted;
    return quoted;
  }

  get session(): Session {
    return this.#progressing.session;
  }

  get traceparent(): string | undefined {
    return this.#progressing.trace.traceparent;
  }

  get roots(): readonly string[] {
    return this.session.roots;
  }

  get sandbox(): Sandbox {
    return createSandbox(this.roots, this.#services.grants, this.#path.confine);
  }

  get storage(): Storage {
    return this.#services.storageFor(this.session.tenant);
  }

  get settings(): JsonObject {
    return this.#services.settings;
  }

  get #services(): PluginServices {
    return this.#ready.tool.plugin.runner.services;
  }

  get abortSignal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortCause) this.#controller.abort(abortReason(this.#abortCause));
    }
    return this.#controller.signal;
  }

  // Getters that give bound functions: a tool may take them out of its context, as in `execute(input, { output })`.

  get onAbort(): RuntimeCallContext['onAbort'] {
    return (listener) => this.#onAbort(listener);
  }

  get keepSoFar(): RuntimeCallContext['keepSoFar'] {
    return (soFar) => {
      this.#soFar = soFar;
    };
  }

  get output(): RuntimeCallContext['output'] {
    return (text, stream = 'stdout') => this.#output(text, stream);
  }

  get progress(): RuntimeCallContext['progress'] {
    return (update) => this.#progress(update);
  }

  get log(): RuntimeCallContext['log'] {
    return (message, level) => this.#log(message, level);
  }

  /** Where nobody can answer, the answer is `cancel`: a tool never hangs on a question (fault G 71). */
  get ask(): RuntimeCallContext['ask'] {
    return (form) => this.#ask(form);
  }

  get requestClient(): RequestClient | undefined {
    const { requestClient } = this.#progressing.options;
    return requestClient && ((request) => this.#waitingFor(() => requestClient(request)));
  }

  get callTool(): RuntimeCallContext['callTool'] {
    return async (name, input = {}) => {
      this.#calls += 1;
      const waitingFor: Outgoing['waitingFor'] = (question) => this.#waitingFor(question);
      const { abortSignal } = this;
      return callFromTool(this.#running, { name, input, number: this.#calls, waitingFor, abortSignal });
    };
  }

  get publish(): RuntimeCallContext['publish'] {
    return async (topic, data) => publishFromTool(this.#running, topic, data);
  }

  get #running() {
    return { path: this.#path, progress: this.#progressing, ready: this.#ready };
  }

  #onAbort(listener: AbortListener): () => void {
    if (this.#abortCause) listener(this.#abortCause);
    this.#listeners ??= [];
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners?.filter((one) => one !== listener);
    };
  }

  #output(text: string, stream: OutputStream): void {
    if (this.#isClosed || text === '') return;
    this.#deadline?.renew();
    const { toolCallId } = this;
    const { redact } = this.#path;
    const { onEvent } = this.#progressing.options;
    if (!onEvent) return;
    this.#relay ??= createOutputRelay({ toolCallId, redact, onEvent });
    this.#relay.write(stream, text);
  }

  #progress(update: ProgressUpdate): void {
    if (this.#isClosed || !Number.isFinite(update.progress)) return;
    this.#deadline?.renew();
    const { toolCallId } = this;
    const { redact } = this.#path;
    const { onEvent } = this.#progressing.options;
    if (!onEvent) return;
    this.#progressRelay ??= createProgressRelay({ toolCallId, redact, onEvent });
    this.#progressRelay.tell(update);
  }

  #log(message: string, level?: LogLevel): void {
    const masked = this.#path.redact(message);
    this.#services.log(masked, level);
    if (!this.#isClosed) this.#progressing.options.onLog?.(masked.toWellFormed(), level ?? 'info');
  }

  async #ask(form: AskForm): Promise<AskAnswer> {
    const { ask } = this.#progressing.options;
    if (!ask || this.#isClosed) return { action: 'cancel' };
    return this.#waitingFor(() => this.#fillIn(form, ask));
  }

  async #fillIn(form: AskForm, ask: Ask): Promise<AskAnswer> {
    const open = openForm({ path: this.#path, progress: this.#progressing, ready: this.#ready }, form, ask);
    this.#forms ??= new Set();
    this.#forms.add(open);
    try {
      return await open.answer;
    } finally {
      this.#forms.delete(open);
    }
  }

  /** A wait that counts neither against the deadline nor as the call's own time. */
  async #waitingFor<T>(question: () => Promise<T>): Promise<T> {
    const { trace } = this.#progressing;
    if (this.#openQuestions === 0) this.#askedMs = performance.now();
    this.#openQuestions += 1;
    this.#deadline?.pause();
    try {
      return await question();
    } finally {
      this.#openQuestions -= 1;
      if (this.#openQuestions === 0) trace.waitedMs += performance.now() - this.#askedMs;
      if (!this.#isClosed) this.#deadline?.resume();
    }
  }

  /** The deadline that signs of life renew and questions pause, also those that the tool asked before it was there. */
  attach(deadline: Deadline): void {
    this.#deadline = deadline;
    for (let open = this.#openQuestions; open > 0; open -= 1) deadline.pause();
  }

  /** Tells the tool to stop. The first cause counts. */
  abort(cause: AbortCause): void {
    if (this.#abortCause) return;
    this.#abortCause = cause;
    this.#controller?.abort(abortReason(cause));
    for (const listener of this.#listeners ?? []) listener(cause);
  }

  /** What the tool has of its result, for a call that ends before it does. */
  soFar(cause: AbortCause): ResultSoFar | undefined {
    try {
      return this.#soFar?.(cause);
    } catch {
      // The call ends all the same.
      return undefined;
    }
  }

  /** After this, what the tool still says is dropped: the call has its result. */
  close(): void {
    if (!this.#isClosed) {
      this.#relay?.end();
      this.#progressRelay?.end();
    }
    this.#isClosed = true;
    for (const form of this.#forms ?? []) form.close();
  }
}

function abortReason(cause: AbortCause): Error {
  return new DOMException(
    cause === 'timed-out' ? 'The call timed out' : 'The call was cancelled',
    cause === 'timed-out' ? 'TimeoutError' : 'AbortError',
  );
}
