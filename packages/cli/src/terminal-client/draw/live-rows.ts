import type { Entry } from '../transcript/entries.ts';
import type { Scrollback } from '../transcript/scrollback.ts';
import { type CallPage, OUTPUT_ROWS } from './call.ts';
import { type Line, span } from './line.ts';

/**
 * What is drawn anew with each frame, in at most `rows` rows: a live part that is higher than the screen would tear what has
 * scrolled out. Running calls give up rows of their output first, then the top is left out.
 */
export function liveRows(scrollback: Scrollback, entries: readonly Entry[], page: CallPage & { rows: number }): Line[] {
  const { rows, theme } = page;
  if (rows < 1) return [];
  let lines: Line[] = [];
  let isCrowded = false;
  for (const outputRows of [OUTPUT_ROWS, 4, 2, 1, 0]) {
    // Of more calls than rows none has room for what it prints.
    if (isCrowded && outputRows > 0) continue;
    const drawn = scrollback.live(entries, { ...page, outputRows });
    isCrowded = drawn.length > rows;
    lines = drawn.flat();
    if (lines.length <= rows) return lines;
  }
  const shown = lines.slice(lines.length - rows + 1);
  return [[span(`… ${lines.length - shown.length} rows above, shown when they are done`, theme.faint)], ...shown];
}
