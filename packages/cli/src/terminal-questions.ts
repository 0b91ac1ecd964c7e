import type { Interface } from 'node:readline';

/** Questions to the person at the terminal, a line each. */
export interface TerminalQuestions {
  /** What was typed; undefined when the input ended or the question was given up. */
  ask(question: string, abortSignal: AbortSignal): Promise<string | undefined>;
  say(text: string): void;
}

export function createTerminalQuestions(lines: Interface, say: (text: string) => void): TerminalQuestions {
  return { ask: (question, abortSignal) => questionOf(lines, question, abortSignal), say };
}

function questionOf(lines: Interface, question: string, abortSignal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const give = (said: string | undefined) => {
      lines.off('close', giveUp);
      abortSignal.removeEventListener('abort', giveUp);
      resolve(said);
    };
    const giveUp = () => give(undefined);
    if (abortSignal.aborted) return giveUp();
    lines.once('close', giveUp);
    abortSignal.addEventListener('abort', giveUp, { once: true });
    try {
      dropTyped(lines);
      lines.question(question, { signal: abortSignal }, give);
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
