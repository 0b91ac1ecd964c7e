import type { Interface } from 'node:readline';

/** Questions to the person at the terminal. */
export interface TerminalQuestions {
  /** Runs what asks one after the other: several calls of a round may need an answer together. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** What was typed; undefined when the input ended or the question was given up. */
  ask(question: string, abortSignal: AbortSignal | undefined): Promise<string | undefined>;
  say(text: string): void;
}

export function createTerminalQuestions(lines: Interface, say: (text: string) => void): TerminalQuestions {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    inTurn(work) {
      const answer = queue.then(work);
      queue = answer.catch(() => undefined);
      return answer;
    },
    ask: (question, abortSignal) => questionOf(lines, question, abortSignal),
    say,
  };
}

function questionOf(
  lines: Interface,
  question: string,
  abortSignal: AbortSignal | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const give = (said: string | undefined) => {
      lines.off('close', giveUp);
      abortSignal?.removeEventListener('abort', giveUp);
      resolve(said);
    };
    const giveUp = () => give(undefined);
    if (abortSignal?.aborted) return giveUp();
    lines.once('close', giveUp);
    abortSignal?.addEventListener('abort', giveUp, { once: true });
    try {
      lines.question(question, abortSignal ? { signal: abortSignal } : {}, give);
    } catch {
      // The input ended before: there is nobody to ask any more.
      giveUp();
    }
  });
}
