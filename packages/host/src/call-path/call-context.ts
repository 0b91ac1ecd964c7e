import type { EventBody, JsonObject, OutputStream, Session } from '@toolpost/protocol';
import type { AskAnswer, AskForm, Sandbox, Storage } from '@toolpost/sdk';
import type { PluginServices } from '../registry/plugin-services.ts';
import type { AbortCause, RuntimeCallContext } from '../runtimes/runtime.ts';
import type { Deadline } from './deadline.ts';
import { createOutputRelay, type OutputRelay } from './output-relay.ts';
import type { Redactor } from './redactor.ts';
import { type ConfinePath, createSandbox } from './sandbox.ts';

type ProgressUpdate = Parameters<RuntimeCallContext['progress']>[0];
export type Ask = (form: AskForm) => Promise<AskAnswer>;

export interface CallContextParts {
  readonly toolCallId: string;
  readonly input: JsonObject;
  readonly session: Session;
  readonly services: PluginServices;
  readonly confine: ConfinePath;
  readonly redact: Redactor;
  readonly onEvent: ((event: EventBody) => void) | undefined;
  readonly ask: Ask | undefined;
}

/**
 * The context of one call. Most tools use little of it, so everything that costs is made when first asked for:
 * that keeps a call within a few microseconds.
 */
export class CallContext implements RuntimeCallContext {
  readonly #parts: CallContextParts;
  #input: string | undefined;
  #deadline: Deadline | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(cause: AbortCause) => void> | undefined;
  #abortCause: AbortCause | undefined;
  #relay: OutputRelay | undefined;
  #isClosed = false;

  constructor(parts: CallContextParts) {
    this.#parts = parts;
  }

  get toolCallId(): string {
    return this.#parts.toolCallId;
  }

  /**
   * Written anew from what was validated, never the model's own text: a key that stands there twice would be one thing to
   * the host's parser and another to the plugin's.
   */
  get input(): string {
    this.#input ??= JSON.stringify(this.#parts.input);
    return this.#input;
  }

  get session(): Session {
    return this.#parts.session;
  }

  get roots(): readonly string[] {
    return this.#parts.session.roots;
  }

  get sandbox(): Sandbox {
    return createSandbox(this.roots, this.#parts.services.grants, this.#parts.confine);
  }

  get storage(): Storage {
    return this.#parts.services.storageFor(this.#parts.session.tenant);
  }

  get settings(): JsonObject {
    return this.#parts.services.settings;
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

  get output(): RuntimeCallContext['output'] {
    return (text, stream = 'stdout') => this.#output(text, stream);
  }

  get progress(): RuntimeCallContext['progress'] {
    return (update) => this.#progress(update);
  }

  get log(): RuntimeCallContext['log'] {
    return (message, level) => this.#parts.services.log(this.#parts.redact(message), level);
  }

  /** Where nobody can answer, the answer is `cancel`: a tool never hangs on a question (fault G 71). */
  get ask(): RuntimeCallContext['ask'] {
    return (form) => this.#ask(form);
  }

  #onAbort(listener: (cause: AbortCause) => void): () => void {
    if (this.#abortCause) listener(this.#abortCause);
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }

  #output(text: string, stream: OutputStream): void {
    if (this.#isClosed || text === '') return;
    this.#deadline?.renew();
    const { onEvent, redact, toolCallId } = this.#parts;
    if (!onEvent) return;
    this.#relay ??= createOutputRelay({ toolCallId, redact, onEvent });
    this.#relay.write(stream, text);
  }

  #progress({ progress, total, message }: ProgressUpdate): void {
    if (this.#isClosed || !Number.isFinite(progress)) return;
    this.#deadline?.renew();
    const { onEvent, redact, toolCallId } = this.#parts;
    onEvent?.({
      type: 'tool-progress',
      toolCallId,
      progress,
      ...(typeof total === 'number' && Number.isFinite(total) && { total }),
      ...(message !== undefined && { message: redact(message.toWellFormed()) }),
    });
  }

  async #ask(form: AskForm): Promise<AskAnswer> {
    const { ask } = this.#parts;
    if (!ask || this.#isClosed) return { action: 'cancel' };
    this.#deadline?.pause();
    try {
      return await ask(form);
    } finally {
      if (!this.#isClosed) this.#deadline?.resume();
    }
  }

  /** The deadline that signs of life renew and questions pause. */
  attach(deadline: Deadline): void {
    this.#deadline = deadline;
  }

  /** Tells the tool to stop. The first cause counts. */
  abort(cause: AbortCause): void {
    if (this.#abortCause) return;
    this.#abortCause = cause;
    this.#controller?.abort(abortReason(cause));
    for (const listener of this.#listeners ?? []) listener(cause);
  }

  /** After this, what the tool still says is dropped: the call has its result. */
  close(): void {
    if (!this.#isClosed) this.#relay?.end();
    this.#isClosed = true;
  }
}

function abortReason(cause: AbortCause): Error {
  return new DOMException(
    cause === 'timed-out' ? 'The call timed out' : 'The call was cancelled',
    cause === 'timed-out' ? 'TimeoutError' : 'AbortError',
  );
}
