import { plainText } from './terminal-text.ts';

const MAX_LINES = 200;
const MAX_CHARACTERS = 200;
/** What has no line end so far is cut here: a progress bar or a minified file may never have one. */
const MAX_PENDING = 4096;

export interface StreamedLines {
  /** Takes a piece of a stream of the call, wherever it was cut. */
  add(stream: string, text: string): void;
  /** Shows what had no line end. */
  end(): void;
  /** Whether all of these lines were shown. */
  hasShown(lines: readonly string[]): boolean;
}

/** What a running tool writes, as whole lines without any style, as many as a person may want to see pass by. */
export function createStreamedLines(show: (line: string) => void): StreamedLines {
  const pending = new Map<string, string>();
  const shown = new Set<string>();
  let count = 0;

  function take(text: string): void {
    const line = shortLine(text);
    if (line.trim() === '' || count > MAX_LINES) return;
    count += 1;
    shown.add(line);
    show(count > MAX_LINES ? '… the rest is not shown here' : line);
  }

  return {
    add(stream, text) {
      // A lone CR begins the line anew, as in a progress bar: each state of it is a line.
      const lines = ((pending.get(stream) ?? '') + text).split(/[\r\n]+/);
      const last = lines.pop() ?? '';
      pending.set(stream, last.slice(0, MAX_PENDING));
      for (const line of lines) take(line);
    },
    end() {
      for (const text of pending.values()) take(text);
      pending.clear();
    },
    hasShown: (lines) => lines.every((line) => line.trim() === '' || shown.has(shortLine(line))),
  };
}

/** One line of a text of others: no style, no control character, not longer than a few rows. */
export function shortLine(text: string): string {
  const characters = [...plainText(text.slice(0, MAX_PENDING))];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : characters.join('');
}
