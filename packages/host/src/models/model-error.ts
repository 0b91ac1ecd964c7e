import { isJsonObject } from '@toolpost/protocol';

/**
 * What is known about a failed request to a provider, read by its shape: the AI SDK's APICallError, an error object
 * inside a stream, or a failure of the connection.
 */
export interface ModelError {
  readonly message: string;
  readonly status?: number;
  /** Whether the same request may succeed a moment later. */
  readonly isTransient: boolean;
  /** Whether the request was refused because it is more than the model's context takes. */
  readonly isTooLong: boolean;
  /** Whether it was refused for an image in it, which this model does not take. */
  readonly isImageRefused: boolean;
  /** Whether the provider was connected and said nothing for long: each further attempt may take as long. */
  readonly isSilent: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
}

const TRANSIENT_STATUS = new Set([408, 409, 425, 429]);
const SILENCE_CODE = /^(?:ETIMEDOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/;
const TRANSIENT_TYPE = /overloaded|rate_limit|server_error|api_error|timeout|unavailable/i;
const CONNECTION_CODE = /^(?:ECONN|ENET|EHOST|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR)/;
/** OpenAI answers 429 also when the account's credit is used up: no wait helps. */
const USED_UP = /quota|billing|credit/i;
/** The codes and types of OpenAI and llama.cpp, and the sentences of Anthropic, OpenAI, vLLM and gateways. */
const TOO_LONG =
  /context_length_exceeded|exceed_context_size|request_too_large|string_above_max_length|prompt is too long|input length and .?max_tokens.? exceed|(?:maximum|available) context (?:length|size)|exceeds? the (?:model'?s )?(?:maximum )?context|exceeds the maximum number of (?:input )?tokens|context window/i;
/** Also in the words of servers that know no content but text: DeepSeek's, Pydantic's, and those of simple ones. */
const ABOUT_IMAGES =
  /\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj|media_type|(?:content|sequence)\b.{0,60}\b(?:expected|must be|should be) (?:a )?(?:valid )?string/i;
/** llama.cpp and Ollama answer so, as a fault of theirs, when a model without eyes gets an image. */
const NO_EYES = /not support|mmproj|missing data required for image/i;
const CUT = /fetch failed|terminated|without a finish reason/;
const MAX_QUOTED = 300;

/** Reads whatever a provider threw or sent. `now` (ms since 1970) is for a `retry-after` that is a date. */
export function readModelError(error: unknown, now: number): ModelError {
  const status = failureStatusOf(error);
  const retryAfterMs = readRetryAfter(isJsonObject(error) ? error.responseHeaders : undefined, now);
  const message = messageOf(error);
  const isBusy = status === undefined ? isTransientShape(error) : TRANSIENT_STATUS.has(status) || status >= 500;
  const isTooLong = isTooLongShape(error, status);
  const isImageRefused = !isTooLong && isRefusal(status, message) && ABOUT_IMAGES.test(message);
  return {
    message,
    isTransient: isBusy && !isTooLong && !isImageRefused && !USED_UP.test(message),
    isTooLong,
    isSilent: status === undefined && isSilentShape(error),
    isImageRefused,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

interface ModelName {
  readonly provider: string;
  readonly modelId: string;
}

/** What failed, in one sentence or two. */
export function summarizeModelError({ status, message }: ModelError, { provider, modelId }: ModelName): string {
  return `The model ${modelId} (${provider}) failed: ${status === undefined ? '' : `${status} `}${message}`;
}

/** What the user reads: what failed and what to do about it. */
export function describeModelError(error: ModelError, model: ModelName): string {
  return `${summarizeModelError(error, model)} ${remedyFor(error, model.provider)}`;
}

function remedyFor({ status, isTransient, isTooLong, message }: ModelError, provider: string): string {
  const variable = provider.startsWith('anthropic') ? 'ANTHROPIC' : 'OPENAI';
  if (status === 401 || status === 403) return `Check the key in ${variable}_API_KEY.`;
  if (status === 404) return `Check the model's name, and the address in --model or ${variable}_BASE_URL.`;
  if (status === 402 || USED_UP.test(message)) return "Check the account's credit with the provider.";
  if (isTooLong) return 'Start a new session, ask for less at once, or use a model with a larger context.';
  if (status === 429) return 'Wait a moment and send the prompt again.';
  if (status === undefined && isTransient)
    return 'Check that its server runs and can be reached, then send the prompt again.';
  if (isTransient) return 'Send the prompt again; if it stays, see the status page of the provider.';
  return 'Change what the message names, or choose another model with --model.';
}

function isRefusal(status: number | undefined, message: string): boolean {
  if (status === undefined || status === 429) return false;
  return status < 500 || NO_EYES.test(message);
}

/** A 429 with such words is a limit of tokens a minute, which time cures. The body says more than the message. */
function isTooLongShape(error: unknown, status: number | undefined): boolean {
  if (status === 413) return true;
  if (status === 429) return false;
  if (typeof error === 'string') return TOO_LONG.test(error);
  for (let cause = error, depth = 0; isJsonObject(cause) && depth < 5; cause = cause.cause, depth++) {
    const nested = isJsonObject(cause.error) ? cause.error : {};
    const said = [cause, nested].flatMap(({ code, type, message, responseBody }) => [
      code,
      type,
      message,
      responseBody,
    ]);
    if (said.some((text) => typeof text === 'string' && TOO_LONG.test(text))) return true;
  }
  return false;
}

function isSilentShape(error: unknown): boolean {
  for (let cause = error, depth = 0; isJsonObject(cause) && depth < 5; cause = cause.cause, depth++) {
    if (SILENCE_CODE.test(String(cause.code))) return true;
  }
  return false;
}

function isTransientShape(error: unknown): boolean {
  for (let cause = error, depth = 0; isJsonObject(cause) && depth < 5; cause = cause.cause, depth++) {
    if (cause.isRetryable === true) return true;
    if (CONNECTION_CODE.test(String(cause.code)) || TRANSIENT_TYPE.test(`${cause.type} ${cause.code}`)) return true;
    if (typeof cause.message === 'string' && CUT.test(cause.message)) return true;
  }
  return isJsonObject(error) && isJsonObject(error.error) && isTransientShape(error.error);
}

/** The message with that of its causes, which say more than "fetch failed", on one line. */
function messageOf(error: unknown): string {
  const parts: string[] = [];
  if (typeof error === 'string') parts.push(error);
  for (let cause = error, depth = 0; isJsonObject(cause) && depth < 5; cause = cause.cause, depth++) {
    const own = isJsonObject(cause.error) ? cause.error.message : cause.message;
    if (typeof own === 'string' && own !== '' && !parts.some((part) => part.includes(own))) parts.push(own);
  }
  const text = parts.join(': ').replace(/\s+/g, ' ').trim() || 'no reason was given';
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}...` : text;
  return /[.!?]$/.test(quoted) ? quoted : `${quoted}.`;
}

function readRetryAfter(headers: unknown, now: number): number | undefined {
  if (!isJsonObject(headers)) return undefined;
  const ms = Number.parseFloat(String(headers['retry-after-ms']));
  if (ms >= 0) return ms;
  const text = headers['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\s*[\d.]+\s*$/.test(text)) return Number.parseFloat(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * A connection that broke in the middle of an answer carries the answer's 200, which says nothing. Gateways and
 * llama.cpp put the status of an error inside a stream into its `code`.
 */
function failureStatusOf(error: unknown): number | undefined {
  if (!isJsonObject(error)) return undefined;
  const nested = isJsonObject(error.error) ? error.error : {};
  for (const given of [error.statusCode, error.status, error.code, nested.code, nested.status]) {
    const status = typeof given === 'string' && /^[45]\d\d$/.test(given) ? Number(given) : given;
    if (typeof status === 'number' && status >= 400 && status < 600) return status;
  }
  return undefined;
}
