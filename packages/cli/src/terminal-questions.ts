import type { Interface } from 'node:readline';

/** Questions to the person at the terminal. */
export interface TerminalQuestions {
  /** Runs what asks one after the other: several calls of a round may need an answer together. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** What was typed; undefined when the input ended or the question was given up. */
  ask(question: string, abortSignal: AbortSignal | undefined): Promise<string | undefined>;
  say(text: string): void;
  /** Does what writes to the screen beside the questions: now, or when the one that is open has been answered. */
  beside(write: () => void): void;
}

/** An answer that shows nothing, such as a yes to what runs long, holds the next question up no longer. */
const SHOWN_WITHIN_MS = 200;

export function createTerminalQuestions(lines: Interface, say: (text: string) => void): TerminalQuestions {
  let queue: Promise<unknown> = Promise.resolve();
  let held: (() => void)[] | undefined;
  let onWrite: (() => void) | undefined;
  const release = () => {
    const writes = held ?? [];
    held = undefined;
    for (const write of writes) write();
  };
  return {
    inTurn(work) {
      const answer = queue.then(() => {
        held = [];
        return work().finally(release);
      });
      // What the answer brings about is shown before the next question: it happens now, and is shown when it is stored.
      const shown = () =>
        new Promise<void>((resolve) => {
          onWrite = resolve;
          setTimeout(resolve, SHOWN_WITHIN_MS).unref();
        });
      queue = answer.then(shown, shown);
      return answer;
    },
    ask: (question, abortSignal) => questionOf(lines, question, abortSignal),
    say,
    beside(write) {
      if (held) return void held.push(write);
      write();
      onWrite?.();
    },
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
      dropTyped(lines);
      lines.question(question, abortSignal ? { signal: abortSignal } : {}, give);
    } catch {
      // The input ended before: there is nobody to ask any more.
      giveUp();
    }
  });
}

/** What was typed before the question was seen is no part of its answer. */
function dropTyped(lines: Interface): void {
  if (lines.line === '') return;
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}
