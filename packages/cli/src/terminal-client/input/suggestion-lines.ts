import { cutLine, type Line, span, textWidth } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import type { OpenMenu } from './prompt-editor.ts';

const MAX_NAME_COLUMNS = 40;

/** The list of what may be meant, one a line; the chosen one is marked by a sign, not by colour alone. */
export function suggestionLines(
  { items, chosen, note }: OpenMenu,
  { columns, maxRows: rows, theme }: { columns: number; maxRows: number; theme: Theme },
): Line[] {
  if (items.length === 0) return [cutLine([span(`  ${note ?? ''}`, theme.faint)], columns)];
  const maxRows = items.length > rows ? Math.max(1, rows - 1) : rows;
  const first = Math.max(0, Math.min(chosen - Math.floor(maxRows / 2), items.length - maxRows));
  const shown = items.slice(first, first + maxRows);
  const width = Math.min(MAX_NAME_COLUMNS, Math.max(...shown.map(({ text }) => textWidth(span(text).text))));
  const rest = items.length - shown.length;
  const more: Line[] = rest > 0 ? [[span(`  ${rest} more`, theme.faint)]] : [];
  const lines = shown.map(({ text, about }, at): Line => {
    const isChosen = first + at === chosen;
    const name = span(text, isChosen ? theme.accent : undefined);
    const gap = ' '.repeat(Math.max(0, width - textWidth(name.text)) + 2);
    const line = [span(isChosen ? '❯ ' : '  ', theme.accent), name, span(gap), span(about ?? '', theme.faint)];
    return cutLine(line, columns);
  });
  return [...lines, ...more];
}
