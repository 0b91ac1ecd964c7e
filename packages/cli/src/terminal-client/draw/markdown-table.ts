import type { Tokens } from 'marked';
import { type Line, lineWidth, span } from './line.ts';
import { inlineLines } from './markdown-inline.ts';
import type { Theme } from './theme.ts';
import { wrapLines } from './wrap.ts';

const BETWEEN = '  ';
const MIN_COLUMN = 8;

/** A table in at most `width` columns of the screen: what is too long for its column goes on below. */
export function tableLines(
  { header, rows, align }: Tokens.Table,
  { width, theme }: { width: number; theme: Theme },
): Line[] {
  const head = header.map(({ tokens }) => inlineLines(tokens, theme, theme.strong));
  const body = rows.map((row) => row.map(({ tokens }) => inlineLines(tokens, theme)));
  const widths = columnWidths([head, ...body], width);
  const rule = widths.map((columns) => '─'.repeat(columns)).join(BETWEEN);
  const draw = (cells: readonly Line[][]) => rowLines(cells, widths, align);
  return [...draw(head), [span(rule, theme.faint)], ...body.flatMap(draw)];
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
function columnWidths(rows: readonly Line[][][], width: number): number[] {
  const count = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => Math.max(0, ...(row[column] ?? []).map(lineWidth)))),
  );
  const room = width - BETWEEN.length * (count - 1);
  for (let excess = widths.reduce((sum, one) => sum + one, 0) - room; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_COLUMN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
