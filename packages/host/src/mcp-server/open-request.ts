import type { JsonObject, Session } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import { capabilityOf, type InputQuestion, isFittingAnswer, MissingCapability } from './input-questions.ts';
import { type ClientCapabilities, encodeResult } from './protocol-era.ts';
import type { ResultJson } from './write-message.ts';

interface OpenQuestion {
  readonly question: InputQuestion;
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

/**
 * A request that goes on over several rounds: the exchange that its handling sees stays one and the same, while the
 * client's own requests come and go.
 */
export class OpenRequest implements Exchange {
  readonly era = 'request';
  readonly session: Session;
  readonly #controller = new AbortController();
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #result: Promise<ResultJson>;
  #waitingForReader: (() => void)[] = [];
  #lastExchange: Exchange;
  /** The round that the client waits in; undefined between rounds. */
  #round: { resolve(result: ResultJson): void; park(): string } | undefined;
  #given: JsonObject = {};
  #asked = 0;
  #isFlushing = false;

  constructor(exchange: Exchange, run: (exchange: Exchange) => Promise<ResultJson>) {
    this.session = exchange.session;
    this.#lastExchange = exchange;
    // It runs within the first round, so that what it asks at once finds the answers that came ahead.
    this.#result = Promise.resolve().then(() => run(this));
    this.#result.catch(() => undefined);
  }

  get capabilities(): ClientCapabilities {
    return this.#lastExchange.capabilities;
  }

  get logLevel(): string | undefined {
    return this.#lastExchange.logLevel;
  }

  get abortSignal(): AbortSignal {
    return this.#controller.signal;
  }

  get isBehind(): boolean {
    return this.#round === undefined || this.#lastExchange.isBehind;
  }

  notify(message: string): void {
    if (this.#round) this.#lastExchange.notify(message);
  }

  onCaughtUp(listener: () => void): void {
    if (this.#round) this.#lastExchange.onCaughtUp(listener);
    else this.#waitingForReader.push(listener);
  }

  cancel(): void {
    this.#controller.abort();
    for (const { reject } of this.#questions.values()) reject(new Error('the client did not answer'));
    this.#questions.clear();
  }

  async ask(question: InputQuestion): Promise<JsonObject> {
    if (!this.capabilities[capabilityOf(question.method)]) throw new MissingCapability(question.method);
    if (this.abortSignal.aborted) throw new Error('the call was cancelled before the client was asked');
    const key = this.#keyOf(question);
    const ahead = Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
    if (question.mayBeAnsweredAhead && isFittingAnswer(question.method, ahead)) return ahead;
    return new Promise((resolve, reject) => {
      this.#questions.set(key, { question, resolve, reject });
      this.#flushSoon();
    });
  }

  /** One round: until there is a result, or a question. `park` keeps this request for the next one, by a new state. */
  async goOn(exchange: Exchange, responses: JsonObject, park: () => string): Promise<ResultJson> {
    const { promise, resolve } = Promise.withResolvers<ResultJson>();
    const cancel = () => this.cancel();
    exchange.abortSignal.addEventListener('abort', cancel, { once: true });
    this.#lastExchange = exchange;
    const round = { resolve, park };
    this.#round = round;
    this.#given = responses;
    this.#takeAnswers(responses);
    for (const listener of this.#waitingForReader.splice(0)) exchange.onCaughtUp(listener);
    if (this.#questions.size > 0) this.#flushSoon();
    try {
      return await Promise.race([promise, this.#result]);
    } finally {
      if (this.#round === round) this.#round = undefined;
      exchange.abortSignal.removeEventListener('abort', cancel);
    }
  }

  #takeAnswers(responses: JsonObject): void {
    for (const [key, { question, resolve }] of this.#questions) {
      const answer = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (!isFittingAnswer(question.method, answer)) continue;
      this.#questions.delete(key);
      resolve(answer);
    }
  }

  #keyOf({ name, mayBeAnsweredAhead }: InputQuestion): string {
    if (mayBeAnsweredAhead && name !== undefined && !this.#questions.has(name)) return name;
    this.#asked += 1;
    return `question-${this.#asked}`;
  }

  /** What is asked in one go goes to the client together. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (!this.#round || this.#questions.size === 0) return;
    const { resolve, park } = this.#round;
    this.#round = undefined;
    const inputRequests = Object.fromEntries(
      [...this.#questions].map(
        ([
          key,
          {
            question: { method, params },
          },
        ]) => [key, { method, params }],
      ),
    );
    resolve(encodeResult('request', { resultType: 'input_required', inputRequests, requestState: park() }));
  }
}
