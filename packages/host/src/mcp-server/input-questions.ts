import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** What a server may ask a client in the course of a request. */
export type InputMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** One question to the client. */
export interface InputQuestion {
  readonly method: InputMethod;
  readonly params: JsonObject;
  /** A name that the client may know it by. Unique among those of a request; made up where absent. */
  readonly name?: string | undefined;
  /** It may be answered before it is asked: not where the answer has to be to what was shown. */
  readonly mayBeAnsweredAhead: boolean;
}

const CAPABILITY_OF = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<InputMethod, string>;

/** The client did not say that it can be asked this. */
export class MissingCapability extends Error {
  override readonly name = 'MissingCapability';
  readonly capability: string;

  constructor(method: InputMethod) {
    const capability = CAPABILITY_OF[method];
    super(`the client cannot be asked for ${method}: it did not declare the capability "${capability}"`);
    this.capability = capability;
  }
}

export function capabilityOf(method: InputMethod): 'elicitation' | 'sampling' | 'roots' {
  return CAPABILITY_OF[method];
}

/** Whether a client's answer has the form that its question asks for. */
export function isFittingAnswer(method: InputMethod, answer: unknown): answer is JsonObject {
  if (!isJsonObject(answer)) return false;
  if (method === 'roots/list') return Array.isArray(answer.roots);
  if (method === 'sampling/createMessage') return isJsonObject(answer.content) || Array.isArray(answer.content);
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return true;
  return action === 'accept' && (content === undefined || content === null || isJsonObject(content));
}
