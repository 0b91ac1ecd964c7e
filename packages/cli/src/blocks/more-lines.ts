import { type Line, span } from '../terminal-client/draw/line.ts';
import type { Page } from '../terminal-client/draw/markdown.ts';

/** The line that says how much is not shown, and where it is; none where all is. */
export function moreLines(count: number, shown: number, what: string, { theme }: Page): Line[] {
  return count > shown ? [[span(`… ${(count - shown).toLocaleString('en')} more ${what} (ctrl-o)`, theme.faint)]] : [];
}
