import {
  type ContentParams,
  type EnrichParams,
  HOST_METHODS,
  type HostMessage,
  type JsonObject,
  kindOfPluginMessage,
  messageId,
  messageOf,
  type PreviewToolParams,
  quoteValue,
  readHookAnswer,
  readOutput,
  readProgress,
  type ToolDefinition,
  type UiActionParams,
} from '@toolpost/protocol';
import type { BusContext, BusMessage } from '@toolpost/sdk';
import type { HookAnswer, HookEvent, RuntimeCallContext, UiActionAnswer } from '../runtime.ts';
import {
  type Dialogue,
  type DialogueProcess,
  hookParams,
  type InFlight,
  onAbortOf,
  readCallResult,
  readEnrichAnswer,
  readUiActionAnswer,
  settle,
} from './dialogue.ts';
import { encodeCall } from './encode-call.ts';
import { type AnswerRequest, type RequestContext, toRequests } from './plugin-requests.ts';

/** How long a cancelled call may take to answer before its process is ended. */
const CANCEL_GRACE_MS = 1000;
/** The id and the next key of a line of which only the start is known, or that its sender is not answering a call. */
const ID_AT_HEAD = /^\s*\{\s*"id"\s*:\s*(?:"([^"\\]*)"|(-?\d+))\s*,\s*"(\w+)"/;
const METHOD_AT_HEAD = /^\s*\{\s*"method"\s*:/;

interface IdentifiedRequest extends InFlight {
  readonly id: string;
  /** Absent for what is no tool's call, which has nothing to stream to. */
  readonly call: CallInFlight | undefined;
  /** In whose name the plugin may ask something meanwhile, where that is no call. */
  requests: RequestContext | undefined;
  graceTimer: NodeJS.Timeout | undefined;
}

interface CallInFlight {
  readonly context: RuntimeCallContext;
  readonly resolve: (result: unknown) => void;
}

interface AskOptions<T> {
  read(message: JsonObject): T;
  abortSignal: AbortSignal;
  requests?: RequestContext;
  /** Nobody minds when it is not answered: its process goes on. */
  isOptional?: boolean;
}

/** Version 2: every request has an id; many are in flight, they stream, and one is cancelled without the others. */
export function createVersionTwo(process: DialogueProcess, answerRequest: AnswerRequest): Dialogue {
  return new VersionTwo(process, answerRequest);
}

class VersionTwo implements Dialogue {
  readonly maxConcurrentCalls = Number.POSITIVE_INFINITY;
  readonly #process: DialogueProcess;
  readonly #answerRequest: AnswerRequest;
  readonly #inFlight = new Map<string, IdentifiedRequest>();
  #lastId = 0;
  #onIdle: (() => void) | undefined;

  constructor(process: DialogueProcess, answerRequest: AnswerRequest) {
    this.#process = process;
    this.#answerRequest = answerRequest;
  }

  call(tool: ToolDefinition, context: RuntimeCallContext): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const answer = (message: JsonObject): void => resolve(readCallResult(message));
      const request = this.#register(tool.name, answer, reject, { context, resolve });
      this.#process.writeJson(encodeCall(request.id, tool.name, context), this.#inFlight.size === 1);
      // The context ends with its call, and what is not in flight is not cancelled: there is nothing to take back.
      context.onAbort(() => this.#cancel(request));
    });
  }

  hook(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer> {
    const message = { method: HOST_METHODS.hook, params: hookParams(event) };
    return this.#ask(`hook ${event.event}`, message, { read: readHookAnswer, abortSignal });
  }

  enrich(params: EnrichParams, abortSignal: AbortSignal): Promise<unknown> {
    const message = { method: HOST_METHODS.enrich, params };
    return this.#ask(`enricher ${params.enricherName}`, message, { read: readEnrichAnswer, abortSignal });
  }

  uiAction(params: UiActionParams, abortSignal: AbortSignal): Promise<UiActionAnswer> {
    const message = { method: HOST_METHODS.webUiAction, params };
    return this.#ask(`the action ${params.action}`, message, { read: readUiActionAnswer, abortSignal });
  }

  content(params: ContentParams, abortSignal: AbortSignal): Promise<unknown> {
    const message = { method: HOST_METHODS.content, params };
    return this.#ask(`its ${params.request.kind}`, message, { read: readEnrichAnswer, abortSignal });
  }

  preview(params: PreviewToolParams, abortSignal: AbortSignal): Promise<unknown> {
    const message = { method: HOST_METHODS.previewTool, params };
    const label = `the preview of ${params.toolName}`;
    return this.#ask(label, message, { read: readEnrichAnswer, abortSignal, isOptional: true });
  }

  message({ topic, data, from, tenant }: BusMessage, context: BusContext): Promise<void> {
    const label = `the message about ${topic}`;
    const { abortSignal } = context;
    const read = (answer: JsonObject): void => void readEnrichAnswer(answer);
    const params = { topic, data, from, tenant, callId: '' };
    return this.#ask(
      label,
      { method: HOST_METHODS.busMessage, params },
      { read, abortSignal, requests: toRequests(context) },
    );
  }

  receiveText(id: string, text: string): boolean {
    const request = this.#inFlight.get(id);
    if (!request?.call) return false;
    this.#remove(request);
    request.call.resolve(text);
    return true;
  }

  receive(message: JsonObject): void {
    const kind = kindOfPluginMessage(message);
    if (kind === 'request') {
      this.#answerRequest(message, (callId) => {
        const asking = this.#inFlight.get(callId);
        return asking?.call?.context ?? asking?.requests;
      });
      return;
    }
    const id = messageId(message);
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    if (!request) this.#process.log(`ignored on stdout, nobody waits for it: ${quoteValue(message)}`, 'debug');
    else if (kind === 'output' || kind === 'progress') this.#stream(request, kind, message);
    else settle(this.#remove(request), message);
  }

  receiveOverlong(reason: string, head: string): void {
    const [, text, number, nextKey] = ID_AT_HEAD.exec(head) ?? [];
    const id = text ?? number;
    if (METHOD_AT_HEAD.test(head) || nextKey === 'output' || nextKey === 'progress') return;
    if (id === undefined) this.#failAll(reason);
    else if (nextKey === 'method') this.#process.write({ id: text ?? Number(number), error: reason });
    else this.#failOne(id, reason);
  }

  finish(): Promise<void> {
    if (this.#inFlight.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      for (const request of this.#inFlight.values()) this.#cancel(request);
    });
  }

  fail(crash: Error): void {
    for (const request of [...this.#inFlight.values()]) this.#remove(request).reject(crash);
  }

  /** Sends what is no tool's call: it streams nothing, and has a signal instead of a context. */
  #ask<T>(label: string, message: HostMessage, options: AskOptions<T>): Promise<T> {
    const { read, abortSignal, requests, isOptional = false } = options;
    return new Promise((resolve, reject) => {
      const answer = (received: JsonObject): void => resolve(read(received));
      const request = this.#register(label, answer, reject, undefined);
      request.requests = requests;
      this.#process.write(withId(message, request.id));
      request.stopListening = onAbortOf(abortSignal, () =>
        isOptional ? this.#giveUp(request) : this.#cancel(request),
      );
    });
  }

  #register(
    label: string,
    answer: InFlight['answer'],
    reject: InFlight['reject'],
    call: CallInFlight | undefined,
  ): IdentifiedRequest {
    const id = String(++this.#lastId);
    const request = {
      label,
      answer,
      reject,
      stopListening: undefined,
      id,
      call,
      graceTimer: undefined,
      requests: undefined,
    };
    this.#inFlight.set(id, request);
    return request;
  }

  #failOne(id: string, reason: string): void {
    const request = this.#inFlight.get(id);
    if (request) this.#remove(request).reject(new Error(`${request.label}: ${reason}`));
  }

  /** Whose answer it was cannot be known, and a call without an answer would wait for its deadline: none is left. */
  #failAll(reason: string): void {
    for (const request of [...this.#inFlight.values()]) {
      this.#process.write({ method: HOST_METHODS.cancel, params: { id: request.id } });
      this.#failOne(request.id, `${reason}, and its start does not say which call it answers`);
    }
  }

  #giveUp(request: IdentifiedRequest): void {
    this.#process.write({ method: HOST_METHODS.cancel, params: { id: request.id } });
    this.#failOne(request.id, 'given up');
  }

  #cancel(request: IdentifiedRequest): void {
    if (request.graceTimer || !this.#inFlight.has(request.id)) return;
    this.#process.write({ method: HOST_METHODS.cancel, params: { id: request.id } });
    request.graceTimer = setTimeout(() => {
      this.#process.kill(`was ended because ${request.label} was cancelled and did not stop`);
    }, CANCEL_GRACE_MS);
  }

  #stream(request: IdentifiedRequest, kind: 'output' | 'progress', message: JsonObject): void {
    try {
      if (kind === 'progress') request.call?.context.progress(readProgress(message));
      else {
        const { text, stream } = readOutput(message);
        request.call?.context.output(text, stream);
      }
    } catch (error) {
      this.#process.log(`${request.label}: ${messageOf(error)}`, 'warn');
    }
  }

  #remove(request: IdentifiedRequest): IdentifiedRequest {
    this.#inFlight.delete(request.id);
    request.stopListening?.();
    if (request.graceTimer) clearTimeout(request.graceTimer);
    if (this.#inFlight.size === 0) this.#onIdle?.();
    return request;
  }
}

/** A message of the bus also says by which id its handler may ask something. */
function withId(message: HostMessage, id: string): HostMessage {
  return 'params' in message && message.method === HOST_METHODS.busMessage
    ? { ...message, id, params: { ...message.params, callId: id } }
    : { ...message, id };
}
