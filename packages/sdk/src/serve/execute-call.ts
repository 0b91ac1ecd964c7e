import { encodeCallAnswer } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import { parseToolInput } from '../define/parse-tool-input.ts';
import { errorMessage, toToolResult } from '../results/to-tool-result.ts';
import type { RunningCalls } from './running-calls.ts';
import { type CallOrigin, type CallServices, ServedCall } from './served-call.ts';

/** Runs one call and answers it exactly once. A tool that answers synchronously is answered synchronously. */
export function executeCall(
  tool: Tool,
  origin: CallOrigin,
  { services, running }: { services: CallServices; running: RunningCalls },
): void | Promise<void> {
  const { id } = origin;
  const call = new ServedCall(origin, services);
  const key = id ?? call;
  running.add(key, call);
  const answer = (line: string): void => {
    call.finish();
    running.remove(key);
    services.connection.send(line);
  };
  const succeed = (value: unknown): void => answer(encodeValue(id, value));
  const fail = (error: unknown): void => answer(encodeError(id, errorMessage(error)));
  try {
    const value = tool.execute(origin.input === '' ? {} : parseToolInput(origin.input), call);
    if (isThenable(value)) return Promise.resolve(value).then(succeed, fail);
    succeed(value);
  } catch (error) {
    fail(error);
  }
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
