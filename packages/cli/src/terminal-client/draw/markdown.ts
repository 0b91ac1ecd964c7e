import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { highlightedLines } from './highlight.ts';
import { type Line, lineWidth, span, textLines } from './line.ts';
import { inlineLines } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import { both, type Theme } from './theme.ts';
import { wrapLine, wrapLines } from './wrap.ts';

export interface Page {
  readonly width: number;
  readonly theme: Theme;
}

/** Markdown as rows of the screen. Markup of other kinds in it is shown as the text that it is. */
export function markdownLines(markdown: string, page: Page): Line[] {
  return blocksOf(lexer(markdown), page);
}

/**
 * Where the last block of a text begins that is still being written: what stands before it stays as it is, whatever
 * comes. 0 where there is one block only.
 */
export function finishedLength(markdown: string): number {
  const tokens = lexer(markdown);
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  return tokens.slice(0, last).reduce((sum, { raw }) => sum + raw.length, 0);
}

function blocksOf(tokens: readonly Token[], page: Page): Line[] {
  const lines: Line[] = [];
  let isTight = true;
  for (const token of tokens as readonly MarkedToken[]) {
    // The box of a task stands in the mark of its item.
    if (token.type === 'space' || token.type === 'def' || token.type === 'checkbox') continue;
    const block = blockLines(token, page);
    // Inside an item a line of text and the list below it belong together.
    if (lines.length > 0 && !isTight) lines.push([]);
    isTight = token.type === 'text';
    lines.push(...block);
  }
  return lines;
}

function blockLines(token: MarkedToken, page: Page): Line[] {
  const { theme, width } = page;
  switch (token.type) {
    case 'heading': {
      const paint = token.depth < 3 ? both(theme.strong, theme.accent) : theme.strong;
      return wrapLines(inlineLines(token.tokens, theme, paint), { width });
    }
    case 'paragraph':
      return wrapLines(inlineLines(token.tokens, theme), { width });
    case 'text':
      return wrapLines(inlineLines(token.tokens ?? [token], theme), { width });
    case 'code':
      return prefixed(codeLines(token, { theme, width: width - 2 }), [span('  ')]);
    case 'blockquote':
      return prefixed(blocksOf(token.tokens, { theme, width: width - 2 }), [span('│ ', theme.faint)]);
    case 'list':
      return listLines(token, page);
    case 'table':
      return tableLines(token, page);
    case 'hr':
      return [[span('─'.repeat(Math.min(width, 24)), theme.faint)]];
    default:
      return wrapLines(textLines(token.raw.trimEnd()), { width });
  }
}

function codeLines({ text, lang = '' }: Tokens.Code, { theme, width }: Page): Line[] {
  const lines = highlightedLines(text, lang.split(/[\s,{]/)[0] ?? '', theme);
  return lines.flatMap((line) => wrapLine(line, { width }));
}

function listLines({ ordered, start, items, loose }: Tokens.List, { theme, width }: Page): Line[] {
  const first = ordered && start !== '' ? start : 1;
  const columns = ordered ? `${first + items.length - 1}. `.length : 2;
  return items.flatMap((item, index) => {
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const mark = (ordered ? `${first + index}. `.padStart(columns) : '• ') + box;
    const lines = blocksOf(item.tokens, { theme, width: width - mark.length });
    const rows = (lines.length > 0 ? lines : [[]]).map((line, row) => [
      row === 0 ? span(mark, theme.faint) : span(' '.repeat(mark.length)),
      ...line,
    ]);
    return loose && index > 0 ? [[], ...rows] : rows;
  });
}

function prefixed(lines: readonly Line[], prefix: Line): Line[] {
  return lines.map((line) => (lineWidth(line) === 0 && lineWidth(prefix) < 3 ? prefix : [...prefix, ...line]));
}
