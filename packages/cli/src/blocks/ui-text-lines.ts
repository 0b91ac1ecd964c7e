import { cutLine, type Line, span, textLines } from '../terminal-client/draw/line.ts';
import { markdownLines, type Page } from '../terminal-client/draw/markdown.ts';
import { wrapLines } from '../terminal-client/draw/wrap.ts';
import { blockLines } from './block-lines.ts';
import { moreLines } from './more-lines.ts';
import { readChartOption } from './read-chart-option.ts';

const MAX_CODE_LINES = 6;

/** What a call draws, as a terminal can show it. */
export interface ShownUi {
  readonly mode: string;
  /** The whole code so far. */
  readonly code: string;
  /** Where a page shows it; undefined where no server runs. */
  readonly url?: string | undefined;
  /** Whether more of the code comes. */
  readonly isOpen?: boolean;
}

/**
 * The text form of an interface: Markdown and charts as such, of other code its first lines, and where it can be seen
 * drawn. No row is wider than the page.
 */
export function uiTextLines({ mode, code, url, isOpen = false }: ShownUi, page: Page): Line[] {
  const { theme } = page;
  if (mode === 'markdown') return markdownLines(code, page).map((line) => cutLine(line, page.width));
  const chart = mode === 'chart' ? readChartOption(code) : undefined;
  const drawn = chart ? blockLines(chart, page) : codeLines(code, page);
  const where = url === undefined ? 'drawn in the browser: toolpost serve' : `drawn at ${url}`;
  // An address that is cut leads nowhere.
  const end = isOpen ? [] : wrapLines([[span(where, theme.faint)]], { width: page.width });
  return [...drawn.map((line) => cutLine(line, page.width)), ...end];
}

function codeLines(code: string, page: Page): Line[] {
  const lines = code.trim().split('\n');
  const shown = textLines(lines.slice(0, MAX_CODE_LINES).join('\n'), page.theme.faint);
  return [...shown, ...moreLines(lines.length, MAX_CODE_LINES, 'lines of code', page)];
}
