import {
  type ContentParams,
  type ContentRequest,
  type EnrichParams,
  type HookParams,
  type HostMessage,
  isNotImplemented,
  type JsonObject,
  type PreviewToolParams,
  readCallAnswer,
  type ToolDefinition,
  type UiAction,
  type UiActionParams,
} from '@toolpost/protocol';
import type { BusContext, BusMessage, LogLevel, ToolPreviewContext } from '@toolpost/sdk';
import {
  type EnricherSession,
  type HookAnswer,
  type HookEvent,
  NOT_HANDLED,
  type PluginCrash,
  type RuntimeCallContext,
  type UiActionAnswer,
} from '../runtime.ts';
import type { RequestAnswer } from './plugin-requests.ts';

/** What one version of the protocol says to one process, from the answer to `activate` to its end. */
export interface Dialogue {
  /** Calls that may be in flight at once. */
  readonly maxConcurrentCalls: number;
  call(tool: ToolDefinition, context: RuntimeCallContext): Promise<unknown>;
  hook(event: HookEvent, abortSignal: AbortSignal): Promise<HookAnswer>;
  enrich(params: EnrichParams, abortSignal: AbortSignal): Promise<unknown>;
  uiAction(params: UiActionParams, abortSignal: AbortSignal): Promise<UiActionAnswer>;
  /** Absent in a version that has no words for it. */
  content?(params: ContentParams, abortSignal: AbortSignal): Promise<unknown>;
  /** Asks for the preview of a call; absent in a version that has no words for it. @throws Error with why there is none. */
  preview?(params: PreviewToolParams, abortSignal: AbortSignal): Promise<unknown>;
  /** Hands over a message of the bus; absent in a version that has no words for it. @throws Error when it failed. */
  message?(message: BusMessage, context: BusContext): Promise<void>;
  receive(message: JsonObject): void;
  /** Takes the answer of a call in flight that is plain text, which most are. Returns whether there is such a call. */
  receiveText?(id: string, text: string): boolean;
  /** A line was dropped because it was too long; `head` is its start. */
  receiveOverlong(reason: string, head: string): void;
  /** Cancels what is in flight and resolves when nothing is, soon in any case. */
  finish(): Promise<void>;
  /** The process is gone: everything in flight rejects. */
  fail(crash: PluginCrash): void;
}

/** The process as a dialogue sees it. */
export interface DialogueProcess {
  write(message: HostMessage | RequestAnswer): void;
  /** Writes a message that is JSON text already. `isAlone`: none follows that could go with it. */
  writeJson(json: string, isAlone: boolean): void;
  /** Ends the process; everything in flight rejects with this reason. */
  kill(reason: string): void;
  log(message: string, level: LogLevel): void;
}

/** A request that was sent and waits for its answer. */
export interface InFlight {
  /** What it is, for messages: the tool's name, or the hook's event. */
  readonly label: string;
  /** Reads the answer and resolves with it; what it throws rejects. */
  readonly answer: (message: JsonObject) => void;
  readonly reject: (error: Error) => void;
  /** Set once the request was written; it is registered before, so that no answer can come too early. */
  stopListening: (() => void) | undefined;
}

/** Settles a request with its answer. The caller has already taken it out of what is in flight. */
export function settle(request: InFlight, message: JsonObject): void {
  request.stopListening?.();
  try {
    request.answer(message);
  } catch (error) {
    request.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The answer to a tool call as the call path settles it: any value, or an error result. */
export function readCallResult(message: JsonObject): unknown {
  const answer = readCallAnswer(message);
  if (!answer.ok) return { content: [{ type: 'text', text: answer.error }], isError: true };
  // Version 1 has no other place for what a call draws than beside its text.
  const uiCode = message.ui_code ?? message.uiCode;
  const isBeside = typeof answer.result === 'string' && uiCode !== undefined && uiCode !== null;
  return isBeside ? { content: answer.result, ui_code: uiCode } : answer.result;
}

export function hookParams({ session, ...event }: HookEvent): HookParams {
  const { id: sessionId, channel, chatId, tenant, user } = session;
  return { ...event, sessionId, channel, chatId, tenant, user };
}

export function enrichParams(enricherName: string, session: EnricherSession): EnrichParams {
  const { id: sessionId, channel, chatId, tenant, user } = session;
  return { enricherName, sessionId, channel, chatId, tenant, user };
}

export function contentParams(request: ContentRequest, session: EnricherSession): ContentParams {
  const { enricherName: _, ...context } = enrichParams('', session);
  return { request, ...context };
}

export function previewParams(
  { name }: ToolDefinition,
  input: JsonObject,
  { session, roots }: ToolPreviewContext,
): PreviewToolParams {
  const { enricherName: _, ...context } = enrichParams('', session);
  return { toolName: name, input: JSON.stringify(input), roots, ...context };
}

export function uiActionParams(action: UiAction, session: EnricherSession): UiActionParams {
  const { enricherName: _, ...context } = enrichParams('', session);
  const { toolName: widgetId, action: name, data, toolCallId } = action;
  return { widgetId, action: name, data, toolCallId, ...context };
}

/** @throws Error with the plugin's text when its handler failed. */
export function readUiActionAnswer(message: JsonObject): UiActionAnswer {
  const answer = readCallAnswer(message);
  if (answer.ok) return { isHandled: true, value: readCallResult(message) };
  if (isNotImplemented(answer.error)) return NOT_HANDLED;
  throw new Error(answer.error);
}

/** @throws Error with the plugin's text when the enricher failed. */
export function readEnrichAnswer(message: JsonObject): unknown {
  const answer = readCallAnswer(message);
  if (!answer.ok) throw new Error(answer.error);
  return answer.result;
}

/** Calls `listener` when the signal aborts, at once when it has. */
export function onAbortOf(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
