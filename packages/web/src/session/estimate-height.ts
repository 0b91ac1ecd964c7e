import type { Entry } from './entries.ts';

const GAP_PX = 12;
const CHARS_PER_LINE = 95;
const LINE_PX = 23;
const CARD_PX = 60;
const RESULT_LINE_PX = 20;
const MAX_RESULT_LINES = 10;

const estimates = new WeakMap<Entry, number>();

/** How high an entry will be, about: the thumb of a long session stands where it should before all of it was drawn. */
export function estimateHeight(entry: Entry): number {
  const known = estimates.get(entry) ?? estimate(entry);
  estimates.set(entry, known);
  return known;
}

function estimate(entry: Entry): number {
  switch (entry.kind) {
    case 'user':
    case 'text':
      return GAP_PX + 16 + LINE_PX * linesOf(entry.text);
    case 'call':
      return GAP_PX + CARD_PX + RESULT_LINE_PX * Math.min(MAX_RESULT_LINES, linesOf(entry.record?.text ?? ''));
    default:
      return GAP_PX + LINE_PX;
  }
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines < 200; at = text.indexOf('\n', at + 1)) lines += 1;
  return Math.max(lines, Math.ceil(text.length / CHARS_PER_LINE));
}
