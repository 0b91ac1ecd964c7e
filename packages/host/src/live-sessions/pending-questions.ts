import type { AnswerReceipt } from './live-session.ts';

interface Question<Shown, Answer> {
  readonly shown: Shown;
  readonly settle: (answer: Answer) => void;
}

export interface OpenQuestion<Shown, Answer> {
  readonly id: string;
  readonly shown: Shown;
  readonly abortSignal: AbortSignal | undefined;
  /** The answer when nobody waits for one any more. */
  readonly whenGone: Answer;
  readonly whenLate: Answer;
}

/** Questions of one kind that wait for `owner`, a session's user. Each is answered once, by that user or by the end of its time. */
export class PendingQuestions<Shown, Answer> {
  readonly #owner: string;
  readonly #timeoutMs: number;
  readonly #open = new Map<string, Question<Shown, Answer>>();

  constructor(owner: string, timeoutMs: number) {
    this.#owner = owner;
    this.#timeoutMs = timeoutMs;
  }

  ask({ id, shown, abortSignal, whenGone, whenLate }: OpenQuestion<Shown, Answer>): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        this.#open.delete(id);
        clearTimeout(timer);
        abortSignal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      const giveUp = () => settle(whenGone);
      const timer = setTimeout(() => settle(whenLate), this.#timeoutMs);
      abortSignal?.addEventListener('abort', giveUp, { once: true });
      this.#open.set(id, { shown, settle });
      if (abortSignal?.aborted) giveUp();
    });
  }

  list(): readonly Shown[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  /** What a question is about, for who may answer it. */
  find(id: string, user: string): Shown | Exclude<AnswerReceipt, 'taken'> {
    if (user !== this.#owner) return 'not-yours';
    return this.#open.get(id)?.shown ?? 'gone';
  }

  answer(id: string, user: string, answer: Answer): AnswerReceipt {
    if (user !== this.#owner) return 'not-yours';
    const question = this.#open.get(id);
    if (!question) return 'gone';
    question.settle(answer);
    return 'taken';
  }
}
