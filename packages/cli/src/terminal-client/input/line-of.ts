import { type Line, lineWidth, span } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import { shownCell, widthOf } from './cells.ts';
import type { EditedText } from './editing.ts';
import { asCursor } from './prompt-lines.ts';

/** A text of one line with its cursor, scrolled so far that the cursor is seen. */
export function lineOf(
  { cells, cursor }: EditedText,
  { mark, hint, columns, theme }: { mark: Line; hint: string; columns: number; theme: Theme },
): Line {
  if (cells.length === 0) return [...mark, { text: ' ', paint: asCursor }, span(hint, theme.faint)];
  const width = Math.max(8, columns - lineWidth(mark) - 1);
  let from = cursor;
  for (let used = 1; from > 0; from--) {
    used += widthOf(cells[from - 1] ?? '');
    if (used > width) break;
  }
  let to = from;
  for (let used = 0; to < cells.length; to++) {
    used += widthOf(cells[to] ?? '');
    if (used > width) break;
  }
  const shown = (start: number, end: number) => ({
    text: cells.slice(start, end).map(shownCell).join(''),
    paint: undefined,
  });
  const at = cursor < to ? shown(cursor, cursor + 1).text : ' ';
  return [...mark, shown(from, cursor), { text: at, paint: asCursor }, shown(cursor + 1, to)];
}
