import { cutLine, type Line, span, textWidth } from '../draw/line.ts';
import type { Theme } from '../draw/theme.ts';
import type { OpenMenu } from './prompt-editor.ts';

const MAX_NAME_COLUMNS = 40;

/** The list of what may be meant, one a line; the chosen one is marked by a sign, not by colour alone. */
export function suggestionLines(
  { items, chosen }: OpenMenu,
  { columns, maxRows, theme }: { columns: number; maxRows: number; theme: Theme },
): Line[] {
  const first = Math.max(0, Math.min(chosen - Math.floor(maxRows / 2), items.length - maxRows));
  const shown = items.slice(first, first + maxRows);
  const width = Math.min(MAX_NAME_COLUMNS, Math.max(...shown.map(({ text }) => textWidth(span(text).text))));
  return shown.map(({ text, about }, at) => {
    const isChosen = first + at === chosen;
    const name = span(text, isChosen ? theme.accent : undefined);
    const gap = ' '.repeat(Math.max(0, width - textWidth(name.text)) + 2);
    const line = [span(isChosen ? '❯ ' : '  ', theme.accent), name, span(gap), span(about ?? '', theme.faint)];
    return cutLine(line, columns);
  });
}
