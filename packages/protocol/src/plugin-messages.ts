import type { OutputStream } from './events.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { quoteValue } from './quote-value.ts';
import { messageId } from './stdio-wire.ts';
import { errorText } from './wire-fields.ts';

/** How a tool call was answered: whatever `result` is, or the text of `error`. */
export type CallAnswer = { ok: true; result: unknown } | { ok: false; error: string };

/**
 * Reads the answer to `execute_tool` and `enrich`.
 * @throws TypeError when it holds neither `result` nor `error`.
 */
export function readCallAnswer(message: JsonObject): CallAnswer {
  const { error } = message;
  if (error !== undefined && error !== null) return { ok: false, error: errorText(error) };
  if ('result' in message) return { ok: true, result: message.result };
  throw new TypeError(`an answer must hold "result" or "error", got ${quoteValue(message)}`);
}

export const HOOK_DECISIONS = ['allow', 'defer', 'ask', 'deny'] as const;

/** A hook's answer, by section 10 of the reference. `updatedInput` replaces the arguments before they are decided on. */
export interface HookAnswer {
  decision: (typeof HOOK_DECISIONS)[number];
  message?: string;
  updatedInput?: JsonObject;
}

/**
 * Reads the answer to `hook`; one without a hook result allows, as in the seed.
 * @throws TypeError when its decision is unknown, Error with the plugin's text when the hook failed.
 */
export function readHookAnswer(message: JsonObject): HookAnswer {
  if (message.error !== undefined && message.error !== null) throw new Error(errorText(message.error));
  const result = message.hook_result ?? message.hookResult;
  if (result === undefined || result === null) return { decision: 'allow' };
  if (!isJsonObject(result)) throw new TypeError(`hook_result must be an object, got ${quoteValue(result)}`);
  const decision = HOOK_DECISIONS.find((known) => known === result.decision);
  if (!decision) {
    const expected = HOOK_DECISIONS.join(', ');
    throw new TypeError(`hook_result.decision must be one of ${expected}, got ${quoteValue(result.decision)}`);
  }
  const answer: HookAnswer = { decision };
  if (typeof result.message === 'string') answer.message = result.message;
  const data = isJsonObject(result.data) ? result.data : {};
  const updated = result.updatedInput ?? result.updated_input ?? data.updatedInput ?? data.updated_input;
  if (isJsonObject(updated)) answer.updatedInput = updated;
  else if (updated !== undefined && updated !== null) {
    throw new TypeError(`hook_result.updatedInput must be an object, got ${quoteValue(updated)}`);
  }
  return answer;
}

/** Writes a hook's answer as version 1 and 2 carry it. */
export function writeHookAnswer({ decision, message, updatedInput }: HookAnswer): JsonObject {
  const result: JsonObject = { decision };
  if (message !== undefined) result.message = message;
  if (updatedInput) result.data = { updatedInput };
  return { hook_result: result };
}

export interface OutputMessage {
  text: string;
  stream: OutputStream;
}

/**
 * Reads the `output` of a running call; text alone is stdout.
 * @throws TypeError when there is no text in it.
 */
export function readOutput(message: JsonObject): OutputMessage {
  const { output } = message;
  if (typeof output === 'string') return { text: output, stream: 'stdout' };
  if (isJsonObject(output) && typeof output.text === 'string') {
    return { text: output.text, stream: output.stream === 'stderr' ? 'stderr' : 'stdout' };
  }
  throw new TypeError(`output must be {stream, text}, got ${quoteValue(output)}`);
}

export interface ProgressMessage {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Reads the `progress` of a running call; a number alone is enough.
 * @throws TypeError when there is no number in it.
 */
export function readProgress(message: JsonObject): ProgressMessage {
  const { progress } = message;
  if (typeof progress === 'number') return { progress };
  if (!isJsonObject(progress) || typeof progress.progress !== 'number') {
    throw new TypeError(`progress must be {progress, total?, message?}, got ${quoteValue(progress)}`);
  }
  const update: ProgressMessage = { progress: progress.progress };
  if (typeof progress.total === 'number') update.total = progress.total;
  if (typeof progress.message === 'string') update.message = progress.message;
  return update;
}

/** A request of a plugin to the host. */
export interface PluginRequest {
  id: string;
  method: string;
  params: JsonObject;
  /** The call for which it asks; the host finds session and permissions by it. */
  callId?: string;
}

/**
 * Reads a plugin's request.
 * @throws TypeError when its id, method or params are of the wrong type.
 */
export function readPluginRequest(message: JsonObject): PluginRequest {
  const { method, params = {} } = message;
  const id = messageId(message);
  if (id === undefined) throw new TypeError(`a request's id must be text, got ${quoteValue(message.id)}`);
  if (typeof method !== 'string') throw new TypeError(`a request's method must be text, got ${quoteValue(method)}`);
  if (!isJsonObject(params)) throw new TypeError(`${method}: params must be an object, got ${quoteValue(params)}`);
  const callId = params.callId;
  return typeof callId === 'string' ? { id, method, params, callId } : { id, method, params };
}
