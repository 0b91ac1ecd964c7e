import type { Tokens } from 'marked';
import { gridLines } from './grid.ts';
import type { Line } from './line.ts';
import { inlineLines } from './markdown-inline.ts';
import type { Theme } from './theme.ts';

/** A table in at most `width` columns of the screen: what is too long for its column goes on below. */
export function tableLines(
  { header, rows, align }: Tokens.Table,
  { width, theme }: { width: number; theme: Theme },
): Line[] {
  const head = header.map(({ tokens }) => inlineLines(tokens, theme, theme.strong));
  const body = rows.map((row) => row.map(({ tokens }) => inlineLines(tokens, theme)));
  return gridLines({ head, body, align }, { width, theme });
}
