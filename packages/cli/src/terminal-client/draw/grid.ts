import { type Line, lineWidth, span } from './line.ts';
import type { Theme } from './theme.ts';
import { wrapLines } from './wrap.ts';

const BETWEEN = '  ';
const MIN_COLUMN = 8;

/** Cells, each of one line or more, under their heads. */
export interface Grid {
  readonly head: readonly Line[][];
  readonly body: readonly Line[][][];
  readonly align: readonly (string | null)[];
}

/** A table in at most `width` columns of the screen: what is too long for its column goes on below. */
export function gridLines({ head, body, align }: Grid, { width, theme }: { width: number; theme: Theme }): Line[] {
  const widths = columnWidths([head, ...body], width);
  const rule = widths.map((columns) => '─'.repeat(columns)).join(BETWEEN);
  const draw = (cells: readonly Line[][]) => rowLines(cells, widths, align);
  return [...draw(head), [span(rule, theme.faint)], ...body.flatMap(draw)];
}

/** How many columns there is room for. */
export function gridColumns(width: number): number {
  return Math.max(1, Math.floor((width + BETWEEN.length) / (MIN_COLUMN + BETWEEN.length)));
}

function rowLines(cells: readonly Line[][], widths: readonly number[], align: readonly (string | null)[]): Line[] {
  const wrapped = widths.map((width, column) => wrapLines(cells[column] ?? [], { width }));
  const height = Math.max(1, ...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    widths.flatMap((width, column): Line => {
      const cell = wrapped[column]?.[row] ?? [];
      const blank = Math.max(0, width - lineWidth(cell));
      const left = align[column] === 'right' ? blank : align[column] === 'center' ? blank >> 1 : 0;
      const gap = column === widths.length - 1 ? '' : ' '.repeat(blank - left) + BETWEEN;
      return [span(' '.repeat(left)), ...cell, span(gap)];
    }),
  );
}

/** As wide as what they hold; where that is too much, the widest give way first. */
function columnWidths(rows: readonly (readonly Line[][])[], width: number): number[] {
  const count = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, Math.min(width, cellWidth(row[column]))), 1),
  );
  const room = width - BETWEEN.length * (count - 1);
  for (let excess = widths.reduce((sum, one) => sum + one, 0) - room; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_COLUMN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function cellWidth(cell: readonly Line[] = []): number {
  return cell.reduce((widest, line) => Math.max(widest, lineWidth(line)), 0);
}
