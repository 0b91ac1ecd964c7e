import type { ChartBlock, TableBlock } from '@toolpost/protocol';
import { gridColumns, gridLines } from '../terminal-client/draw/grid.ts';
import { type Line, textLines } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';

/** A table with all that is in it: cells go on below, and columns without room stand in further tables. */
export function wholeTableLines({ columns, rows }: TableBlock, page: Page): Line[] {
  const at = gridColumns(page.width);
  const parts = Array.from({ length: Math.ceil(columns.length / at) }, (_, part) => part * at);
  return parts.flatMap((from): Line[] => {
    const cellsOf = <T>(row: readonly T[]) => row.slice(from, from + at);
    const grid = {
      head: cellsOf(columns).map(({ label }) => textLines(label, page.theme.strong)),
      body: rows.map((row) => cellsOf(row).map((cell) => textLines(cell === null ? '' : String(cell)))),
      align: cellsOf(columns).map((column, index) => column.align ?? alignOf(rows, from + index)),
    };
    return [...(from > 0 ? [[]] : []), ...gridLines(grid, page)];
  });
}

/** The numbers of a chart, as a drawing of so many columns cannot tell them. */
export function chartTable({ labels, series, unit }: ChartBlock): TableBlock {
  const count = Math.max(labels.length, ...series.map(({ values }) => values.length));
  return {
    type: 'table',
    columns: [
      { label: '' },
      ...series.map(({ name = 'value' }) => ({ label: unit === undefined ? name : `${name} (${unit})` })),
    ],
    rows: Array.from({ length: count }, (_, at) => [
      labels[at] ?? `${at + 1}`,
      ...series.map(({ values }) => values[at] ?? null),
    ]),
  };
}

/** Numbers stand at the right. */
export function alignOf(rows: TableBlock['rows'], column: number): 'left' | 'right' {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number') ? 'right' : 'left';
}
