import stringWidth from 'string-width';
import { drawnEmoji, visibleText } from '../../terminal-text.ts';

/** A long paste: one place on the screen, all of its text when it is sent. */
export interface Paste {
  readonly text: string;
  /** Lines in it. */
  readonly lines: number;
}

/** What the cursor steps over at once: a character as a person sees it, a line break, or a folded paste. */
export type Cell = string | Paste;

export const LINE_BREAK = '\n';

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const PLAIN = /^[\u0020-\u007e\n]*$/;

/** The characters of a text as a person counts them. */
export function cellsOf(text: string): Cell[] {
  // ASCII has no clusters, and is what nearly all text is.
  if (PLAIN.test(text)) return text.split('');
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/** The text of cells: what is sent. */
export function textOf(cells: readonly Cell[]): string {
  return cells.map((cell) => (typeof cell === 'string' ? cell : cell.text)).join('');
}

/** What stands on the screen for a cell that is no line break. */
export function shownCell(cell: Cell): string {
  if (typeof cell === 'string') {
    if (cell === '\t') return '  ';
    // What cannot be seen, and turns what is around it, is shown as its code.
    if (isPlain(cell)) return cell;
    return stringWidth(cell) > 0 ? drawnEmoji(cell) : visibleText(cell);
  }
  return `[pasted ${cell.lines.toLocaleString('en')} ${cell.lines === 1 ? 'line' : 'lines'}]`;
}

/** Columns that a cell takes. */
export function widthOf(cell: Cell): number {
  return isPlain(cell) ? 1 : stringWidth(shownCell(cell));
}

function isPlain(cell: Cell): boolean {
  return typeof cell === 'string' && cell.length === 1 && cell >= ' ' && cell <= '~';
}
