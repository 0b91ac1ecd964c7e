import { randomUUID } from 'node:crypto';
import { type EventBody, isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { AskAnswer, AskForm } from '@toolpost/sdk';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';

/** A longer form is no form that a person fills in, and would be stored as an event. */
const MAX_FORM_CHARS = 100_000;

/** A tool's form on its way to the session's user: the body of its `form-request` event. */
export interface FormRequest extends Omit<Extract<EventBody, { type: 'form-request' }>, 'type'> {
  /** Aborts when nobody waits for the answer any more. */
  readonly abortSignal: AbortSignal;
}

/** `by`: who answered, as the event says it; the tool does not hear of it. */
export interface FormAnswer extends AskAnswer {
  readonly by?: string;
}

/** Asks the session's user what a tool wants to know. A front end that cannot ask gives none: the answer is `cancel`. */
export interface Ask {
  (form: AskForm, request: FormRequest): Promise<FormAnswer>;
  /** After so long the front end cancels by itself; without it the form stands until it is answered. */
  readonly timeoutMs?: number;
}

export interface OpenForm {
  readonly answer: Promise<AskAnswer>;
  /** The call is over: the form is taken back. */
  close(): void;
}

/**
 * Shows a form and waits for its one end: the answer, or that nobody waits for it any more.
 * @throws RangeError for a form that is longer than a person fills in.
 */
export function openForm(
  { path, progress, ready }: { path: CallPath; progress: CallInProgress; ready: ReadyCall },
  form: AskForm,
  ask: Ask,
): OpenForm {
  const { options } = progress;
  const gone = new AbortController();
  const request = requestOf({ path, progress, ready }, form, { ask, abortSignal: gone.signal });
  const { abortSignal: _signal, ...shown } = request;
  const { promise, resolve } = Promise.withResolvers<AskAnswer>();
  let isOpen = true;
  const end = ({ by = 'the front end', ...answer }: FormAnswer) => {
    if (!isOpen) return;
    isOpen = false;
    options.onEvent?.({ type: 'form-end', formId: request.formId, action: answer.action, by });
    resolve(answer);
  };
  options.onEvent?.({ type: 'form-request', ...shown });
  Promise.resolve()
    .then(() => ask(form, request))
    .catch((error: Error) => {
      path.warn(`the form of ${shown.name} could not be shown: ${error.message}`);
      return { action: 'cancel' as const };
    })
    .then(end);
  const close = () => {
    end({ action: 'cancel', by: 'the host' });
    gone.abort();
  };
  return { answer: promise, close };
}

function requestOf(
  { path, progress, ready }: { path: CallPath; progress: CallInProgress; ready: ReadyCall },
  { message, schema }: AskForm,
  { ask, abortSignal }: { ask: Ask; abortSignal: AbortSignal },
): FormRequest {
  // A plugin without types may give anything.
  if (typeof message !== 'string' || !isJsonObject(schema))
    throw new TypeError(
      `ask takes {message, schema}: a text and a JSON Schema, got ${quoteValue({ message, schema })}`,
    );
  const text = JSON.stringify(schema);
  if (message.length + text.length > MAX_FORM_CHARS)
    throw new RangeError(`the form is longer than ${MAX_FORM_CHARS} characters: ask for less at once`);
  const { plugin, definition } = ready.tool;
  return {
    formId: randomUUID(),
    toolCallId: progress.call.id,
    plugin: plugin.id,
    name: definition.name,
    message: path.redact(message).toWellFormed(),
    schema: JSON.parse(path.redact(text).toWellFormed()) as JsonObject,
    ...(ask.timeoutMs !== undefined && { expiresAt: Date.now() + ask.timeoutMs }),
    abortSignal,
  };
}
