import { cutText } from './cut-text.ts';

const MAX_SHOWN_CHARACTERS = 400;
/** Of one file, context included: more than any cap of the host lets through. */
const MAX_PAGE_CHARACTERS = 1_000_000;

export interface MatchReportOptions {
  pattern: RegExp;
  /** Lines shown before and after each match. */
  context: number;
  maxMatches: number;
  /** The path in front of each line. */
  shown: string;
}

/** Lines of a file as `path:line:text` where they match, `path-line-text` around it, with `--` between stretches. */
export interface MatchReport {
  /** Takes whole lines, or a piece of one that is too long. False when nothing more has to be read. */
  addLines(text: string): boolean;
  /** Passes over so many whole lines that are known not to match. Only without context. */
  skipLines(count: number): void;
  result(): { lines: string[]; matches: number; hasMore: boolean };
}

export function createMatchReport({ pattern, context, maxMatches, shown }: MatchReportOptions): MatchReport {
  const page = createContextPage(context, shown);
  let number = 0;
  let matches = 0;
  let hasMore = false;
  let isInLine = false;

  const take = (line: string): boolean => {
    if (!isInLine) number++;
    isInLine = false;
    const match = pattern.exec(line);
    hasMore = (match !== null && matches === maxMatches) || page.isFull();
    if (hasMore) return false;
    if (match) {
      matches++;
      page.showMatch(number, line, match.index);
    } else page.pass(number, line);
    return true;
  };

  return {
    addLines(text) {
      const lines = (number === 0 ? text.replace(/^\ufeff/, '') : text).split('\n');
      const isEnded = lines.at(-1) === '';
      if (isEnded) lines.pop();
      const goesOn = lines.every((line) => take(line.endsWith('\r') ? line.slice(0, -1) : line));
      isInLine = !isEnded;
      return goesOn;
    },
    skipLines(count) {
      number += isInLine ? count - 1 : count;
      isInLine = false;
    },
    result: () => ({ lines: page.lines, matches, hasMore }),
  };
}

/** Shows matches with `context` lines around each; lines that belong to two matches are shown once. */
function createContextPage(context: number, shown: string) {
  const lines: string[] = [];
  let before: string[] = [];
  let lastShown = 0;
  let after = 0;
  let characters = 0;

  const show = (number: number, sign: string, text: string): void => {
    if (context > 0 && lastShown > 0 && number > lastShown + 1) lines.push('--');
    const line = `${shown}${sign}${number}${sign}${text}`;
    lines.push(line);
    characters += line.length;
    lastShown = number;
  };

  return {
    lines,
    isFull: () => characters > MAX_PAGE_CHARACTERS,
    showMatch(number: number, line: string, index: number): void {
      const first = number - before.length;
      before.forEach((text, place) => {
        show(first + place, '-', cutText(text, MAX_SHOWN_CHARACTERS));
      });
      before = [];
      show(number, ':', aroundMatch(line, index));
      after = context;
    },
    pass(number: number, line: string): void {
      if (after > 0) {
        after--;
        show(number, '-', cutText(line, MAX_SHOWN_CHARACTERS));
      } else if (context > 0 && before.push(line) > context) before.shift();
    },
  };
}

/** A long line is shown from shortly before the match. */
function aroundMatch(line: string, index: number): string {
  if (line.length <= MAX_SHOWN_CHARACTERS) return line;
  const start = index < MAX_SHOWN_CHARACTERS / 2 ? 0 : index - MAX_SHOWN_CHARACTERS / 4;
  return `${start > 0 ? '...' : ''}${cutText(line.slice(start).toWellFormed(), MAX_SHOWN_CHARACTERS)}`;
}
