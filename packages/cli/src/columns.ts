import { plainText } from './terminal-text.ts';

/** Rows as columns; the last column is cut so that each row is one line of at most `width` characters. */
export function columns(rows: readonly (readonly string[])[], width: number): string {
  const clean = rows.map((row) => row.map((cell) => plainText(cell).split('\n', 1)[0] ?? ''));
  const longest = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: longest }, (_, index) =>
    Math.max(0, ...clean.map((row) => row[index]?.length ?? 0)),
  );
  return clean
    .map((row) => `${cut(row.map((cell, index) => padded(cell, index, row, widths)).join('  '), width)}\n`)
    .join('');
}

function padded(cell: string, index: number, row: readonly string[], widths: readonly number[]): string {
  return index === row.length - 1 ? cell : cell.padEnd(Math.min(widths[index] ?? 0, 40));
}

function cut(line: string, width: number): string {
  return line.length > width ? `${[...line].slice(0, Math.max(1, width - 1)).join('')}…` : line;
}
