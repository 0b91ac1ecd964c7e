import { cutLine, type Line, span, textLines } from '../terminal-client/draw/line.ts';
import { markdownLines } from '../terminal-client/draw/markdown.ts';
import { wrapLines } from '../terminal-client/draw/wrap.ts';
import { blockLines } from './block-lines.ts';
import { type BlockPage, shownCount } from './block-page.ts';
import { moreLines } from './more-lines.ts';
import { readChartOption } from './read-chart-option.ts';

const MAX_CODE_LINES = 6;

/** What a call draws. */
export interface DrawnCode {
  readonly mode: string;
  /** The whole code so far. */
  readonly code: string;
}

/** The text form of an interface: Markdown and charts as such; undefined for code that only a page can draw. */
export function uiTextLines({ mode, code }: DrawnCode, page: BlockPage): Line[] | undefined {
  if (mode === 'markdown') return markdownLines(code, page).flatMap((line) => wrapLines([line], page));
  const chart = mode === 'chart' ? readChartOption(code) : undefined;
  return chart && blockLines(chart, page);
}

/** The code itself, of which the first lines are shown. No row is wider than the page. */
export function uiCodeLines({ code }: DrawnCode, page: BlockPage): Line[] {
  const lines = code.trim().split('\n');
  const limit = shownCount(MAX_CODE_LINES, page);
  const shown = textLines(lines.slice(0, limit).join('\n'), page.theme.faint);
  return [
    ...(page.isExpanded ? wrapLines(shown, page) : shown.map((line) => cutLine(line, page.width))),
    ...moreLines(lines.length, limit, 'lines of code', page),
  ];
}

/** Where an interface can be seen drawn. An address that is cut leads nowhere. */
export function uiPlaceLines(page: BlockPage): Line[] {
  const { pageUrl, theme } = page;
  const where = pageUrl === undefined ? 'drawn in the browser: toolpost serve' : `drawn at ${pageUrl}`;
  return wrapLines([[span(where, theme.faint)]], page);
}
