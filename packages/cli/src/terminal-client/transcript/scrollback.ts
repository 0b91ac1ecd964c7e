import type { CallPage } from '../draw/call.ts';
import { entryLines, proseLines } from '../draw/entry.ts';
import { type Line, renderLine } from '../draw/line.ts';
import { finishedLength } from '../draw/markdown.ts';
import { type Entry, isEnded } from './entries.ts';

/** Rows that are written above the live part, once and for good. */
export interface PrintedRows {
  readonly key: number;
  readonly text: string;
}

/** What has scrolled out of our hands, and what is still drawn anew. */
export interface Scrollback {
  /** Everything that was printed so far. The array is replaced when it grows. */
  readonly printed: readonly PrintedRows[];
  /** Prints, in their order, the entries that have ended, and the finished blocks of a text that goes on. */
  advance(entries: readonly Entry[], page: CallPage): void;
  /** The rows of what is not printed, an array for each entry. */
  live(entries: readonly Entry[], page: CallPage): Line[][];
}

/** `header`: stands above everything, laid out already. */
export function createScrollback(header: string): Scrollback {
  let printed: readonly PrintedRows[] = [{ key: 0, text: header }];
  /** The first entry that is not printed, and how much of it is. */
  let next = 0;
  let printedChars = 0;
  let current: readonly Entry[] | undefined;
  let above: Entry['kind'] = 'said';

  function rest(entry: Entry, page: CallPage): Line[] {
    return printedChars > 0 && entry.kind === 'text'
      ? proseLines(entry.text.slice(printedChars), page)
      : entryLines(entry, page);
  }

  function print(kind: Entry['kind'], lines: readonly Line[], rows: PrintedRows[]): void {
    if (lines.length === 0) return;
    const gap = needsGap(above, kind) ? [''] : [];
    rows.push({ key: printed.length + rows.length, text: [...gap, ...lines.map(renderLine)].join('\n') });
    above = kind;
  }

  return {
    get printed() {
      return printed;
    },
    advance(entries, page) {
      const rows: PrintedRows[] = [];
      // Another list is that of another session.
      if (entries !== current) [current, next, printedChars] = [entries, 0, 0];
      for (let entry = entries[next]; entry !== undefined; entry = entries[next]) {
        if (!isEnded(entry)) {
          if (entry.kind !== 'text') break;
          const finished = finishedLength(entry.text.slice(printedChars));
          if (finished === 0) break;
          print('text', proseLines(entry.text.slice(printedChars, printedChars + finished), page), rows);
          printedChars += finished;
          break;
        }
        print(entry.kind, rest(entry, page), rows);
        next += 1;
        printedChars = 0;
      }
      if (rows.length > 0) printed = [...printed, ...rows];
    },
    live(entries, page) {
      let before = above;
      return entries.slice(next).map((entry, index) => {
        const lines = index === 0 ? rest(entry, page) : entryLines(entry, page);
        if (lines.length === 0) return lines;
        const gap: Line[] = needsGap(before, entry.kind) ? [[]] : [];
        before = entry.kind;
        return [...gap, ...lines];
      });
    },
  };
}

/** Calls of a round stand close together, as do notes and actions; everything else has an empty row above it. */
function needsGap(above: Entry['kind'], kind: Entry['kind']): boolean {
  return !(above === kind && CLOSE.has(kind));
}

const CLOSE: ReadonlySet<Entry['kind']> = new Set(['call', 'note', 'action']);
