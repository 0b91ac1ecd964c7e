import { isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';
import type { HookAnswer } from '../runtimes/runtime.ts';

/** From the strongest: of several answers the first of these decides. */
export const DECISIONS = ['deny', 'ask', 'defer', 'allow'] as const satisfies readonly HookAnswer['decision'][];

const MAX_MESSAGE_LENGTH = 2000;
const ALLOW: HookAnswer = Object.freeze({ decision: 'allow' });

/**
 * What a hook answered, once. Nothing is an allow (reference section 10); anything else that is no answer is a failure.
 * @throws TypeError that says what is wrong with it.
 */
export function settleAnswer(answer: unknown): HookAnswer {
  if (answer === undefined || answer === null) return ALLOW;
  if (!isJsonObject(answer)) throw new TypeError(`it answered with ${typeof answer} instead of an object`);
  const { decision = 'allow', message, updatedInput } = answer;
  const known = DECISIONS.find((one) => one === decision);
  if (!known) throw new TypeError(`its decision is none of ${DECISIONS.join(', ')}`);
  if (message !== undefined && message !== null && typeof message !== 'string') {
    throw new TypeError('its message is not a text');
  }
  if (updatedInput !== undefined && updatedInput !== null && !isJsonObject(updatedInput)) {
    throw new TypeError('its updatedInput is not an object');
  }
  return {
    decision: known,
    ...(message ? { message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() } : {}),
    ...(updatedInput ? { updatedInput: plainCopy(updatedInput) } : {}),
  };
}

/** Arguments are JSON; a hook in the host's process could give anything. */
function plainCopy(input: JsonObject): JsonObject {
  try {
    return JSON.parse(JSON.stringify(input)) as JsonObject;
  } catch (error) {
    throw new TypeError(`its updatedInput is not JSON: ${messageOf(error)}`);
  }
}
