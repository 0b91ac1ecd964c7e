import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { type Asker, answerQuestion } from './answer-question.ts';

/** How often a server may ask back before it has to give a result. */
const MAX_ROUNDS = 10;
/** A server that only wants to be asked again is not asked in a circle. */
const PACE_MS = 250;

/**
 * Sends a request until its answer is a result: in the later era a server asks by its answer, and the request is sent
 * again with what it was told (`more`).
 * @throws Error when the server asks without end, or what is no question.
 */
export async function inRounds(
  serverId: string,
  asker: Asker,
  send: (more: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let more: JsonObject = {};
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = await send(more);
    if (result.resultType !== 'input_required') return result;
    more = await answersTo(serverId, asker, result);
  }
  throw new Error(`the server asked back ${MAX_ROUNDS} times and gave no result`);
}

async function answersTo(
  serverId: string,
  asker: Asker,
  { inputRequests, requestState }: JsonObject,
): Promise<JsonObject> {
  const questions = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  if (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  const answers = await Promise.all(
    questions.map(async ([name, question]) => [name, await answerTo(question, { serverId, asker, name })] as const),
  );
  return {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(typeof requestState === 'string' && { requestState }),
  };
}

interface Asked {
  readonly serverId: string;
  readonly asker: Asker;
  /** What the server calls its question. */
  readonly name: string;
}

function answerTo(question: unknown, { serverId, asker, name }: Asked): Promise<JsonObject> {
  if (!isJsonObject(question) || typeof question.method !== 'string')
    throw new Error(`the server asks what is no question: ${quoteValue(question)}`);
  const params = isJsonObject(question.params) ? question.params : {};
  return answerQuestion(serverId, { method: question.method, params, name }, asker);
}
