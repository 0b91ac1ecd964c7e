import { type Cell, LINE_BREAK, shownCell, widthOf } from './cells.ts';
import type { EditedText } from './editing.ts';

/** One row of the screen: the cells from one place up to another. */
export interface Row {
  readonly from: number;
  readonly to: number;
  /** Whether the line goes on in the next row. */
  readonly isWrapped: boolean;
}

/** A text in rows of at most so many columns, broken behind blanks where there are some. There is always one. */
export function layOut(cells: readonly Cell[], columns: number): Row[] {
  const rows: Row[] = [];
  let from = 0;
  let width = 0;
  let afterBlank = 0;
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] ?? '';
    if (cell === LINE_BREAK) {
      rows.push({ from, to: at, isWrapped: false });
      from = at + 1;
      width = 0;
      continue;
    }
    const added = widthOf(cell);
    while (width + added > columns && at > from) {
      const to = afterBlank > from ? afterBlank : at;
      rows.push({ from, to, isWrapped: true });
      from = to;
      width = widthBetween(cells, from, at);
    }
    width += added;
    if (cell === ' ') afterBlank = at + 1;
  }
  rows.push({ from, to: cells.length, isWrapped: false });
  return rows;
}

/** The row in which the cursor stands: where a line is wrapped, that at whose beginning it is. */
export function rowOfCursor(rows: readonly Row[], cursor: number): number {
  const at = rows.findIndex(({ to, isWrapped }) => cursor < to || (cursor === to && !isWrapped));
  return at === -1 ? rows.length - 1 : at;
}

/** The place one row further up or down, in the same column as far as there is one; undefined at the edge. */
export function placeInRow(text: EditedText, columns: number, by: -1 | 1): number | undefined {
  const rows = layOut(text.cells, columns);
  const at = rowOfCursor(rows, text.cursor);
  const row = rows[at + by];
  if (!row) return undefined;
  const column = widthBetween(text.cells, rows[at]?.from ?? 0, text.cursor);
  let place = row.from;
  const last = row.isWrapped ? row.to - 1 : row.to;
  for (let width = 0; place < last; place++) {
    width += widthOf(text.cells[place] ?? '');
    if (width > column) break;
  }
  return place;
}

/** What of a row is shown before the cursor, at it and behind it. */
export function shownRow(cells: readonly Cell[], { from, to }: Row, cursor: number | undefined) {
  const shown = (start: number, end: number) => cells.slice(start, end).map(shownCell).join('');
  if (cursor === undefined) return { before: shown(from, to), at: '', after: '' };
  return {
    before: shown(from, cursor),
    at: cursor < to ? shown(cursor, cursor + 1) : ' ',
    after: shown(cursor + 1, to),
  };
}

function widthBetween(cells: readonly Cell[], from: number, to: number): number {
  let width = 0;
  for (let at = from; at < to; at++) width += widthOf(cells[at] ?? '');
  return width;
}
