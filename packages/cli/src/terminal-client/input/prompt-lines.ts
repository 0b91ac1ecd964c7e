import { type Line, type Span, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import type { EditedText } from './editing.ts';
import { layOut, type Row, rowOfCursor, shownRow } from './layout.ts';

/** What stands before the text, and what its further rows begin with. */
export const PROMPT_MARK = '> ';
const INDENT = '  ';

/** The cursor: the one thing that has no colour of its own and is seen where there are none. */
export const asCursor = (text: string) => `\u001b[7m${text}\u001b[27m`;

export interface PromptLook {
  /** For the text, without the mark. */
  readonly columns: number;
  readonly maxRows: number;
  readonly theme: Theme;
  /** Stands there while nothing is written. */
  readonly hint: string;
  readonly hasCursor: boolean;
}

/** The rows of what is written; of more than there is place for, those around the cursor. */
export function promptLines(text: EditedText, look: PromptLook): Line[] {
  const { theme, hasCursor } = look;
  const mark = span(PROMPT_MARK, theme.accent);
  if (text.cells.length === 0) return [[mark, ...emptyRow(look)]];
  const rows = layOut(text.cells, look.columns);
  const current = rowOfCursor(rows, text.cursor);
  const first = firstShown(rows.length, current, look.maxRows);
  return rows.slice(first, first + look.maxRows).map((row, at) => {
    const cursor = hasCursor && first + at === current ? text.cursor : undefined;
    return [first + at === 0 ? mark : moreMark(rows, { at, first }, look), ...rowSpans(text, row, cursor)];
  });
}

function emptyRow({ hint, hasCursor, theme, columns }: PromptLook): Span[] {
  const [first = ' ', ...rest] = [...hint].slice(0, columns);
  return hasCursor ? [{ text: first, paint: asCursor }, span(rest.join(''), theme.faint)] : [span(hint, theme.faint)];
}

/** That there are rows which are not shown is told at the edge they are behind. */
function moreMark(
  rows: readonly Row[],
  { at, first }: { at: number; first: number },
  { maxRows, theme }: PromptLook,
): Span {
  if (at === 0) return span('↑ ', theme.faint);
  return at === maxRows - 1 && first + maxRows < rows.length ? span('↓ ', theme.faint) : span(INDENT);
}

/** The row of the cursor stands in the middle, but for the first and the last rows. */
function firstShown(count: number, current: number, maxRows: number): number {
  const centred = current - Math.floor(maxRows / 2);
  return Math.max(0, Math.min(centred, count - maxRows));
}

function rowSpans(text: EditedText, row: Row, cursor: number | undefined): Span[] {
  const { before, at, after } = shownRow(text.cells, row, cursor);
  // What a person wrote is clean, and its characters stay whole: no joiner is taken out of it.
  return [plain(before), ...(at === '' ? [] : [{ text: at, paint: asCursor }]), plain(after)];
}

function plain(text: string): Span {
  return { text, paint: undefined };
}
