import { encodeCallAnswer } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import { parseToolInput } from '../define/parse-tool-input.ts';
import { errorMessage, toToolResult } from '../results/to-tool-result.ts';
import type { RunningCalls } from './running-calls.ts';
import { type CallOrigin, type CallServices, ServedCall } from './served-call.ts';

/** Runs one call and answers it exactly once. A tool that answers synchronously is answered synchronously. */
export function executeCall(tool: Tool, origin: CallOrigin, calls: CallsInFlight): void | Promise<void> {
  const call = new ServedCall(origin, calls.services);
  try {
    const value = tool.execute(origin.input === '' ? {} : parseToolInput(origin.input), call);
    if (isThenable(value)) return awaitAnswer(Promise.resolve(value), call, calls);
    succeed(call, calls.services, value);
  } catch (error) {
    fail(call, calls.services, error);
  }
}

export interface CallsInFlight {
  readonly services: CallServices;
  readonly running: RunningCalls;
}

/** Only what is not answered at once can be cancelled, or have its id given to a second call. */
function awaitAnswer(value: Promise<unknown>, call: ServedCall, { services, running }: CallsInFlight): Promise<void> {
  const key = call.id ?? call;
  running.add(key, call);
  return value.then(
    (result) => {
      running.remove(key);
      succeed(call, services, result);
    },
    (error: unknown) => {
      running.remove(key);
      fail(call, services, error);
    },
  );
}

function succeed(call: ServedCall, { connection }: CallServices, value: unknown): void {
  const line = encodeValue(call.id, value);
  call.finish();
  connection.send(line);
}

function fail(call: ServedCall, { connection }: CallServices, error: unknown): void {
  call.finish();
  connection.send(encodeError(call.id, errorMessage(error)));
}

/** Writes an error as one line; without an id where the host gave none. */
export function encodeError(id: unknown, message: string): string {
  return JSON.stringify({ id, error: message.toWellFormed() });
}

/** A result beyond the longest possible text has no line; the call is answered all the same. */
function encodeValue(id: unknown, value: unknown): string {
  try {
    return encodeCallAnswer(id, toToolResult(value));
  } catch (error) {
    return encodeError(id, `the result cannot be sent: ${errorMessage(error)}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
