import hljs from 'highlight.js/lib/common';
import { type Line, type Paint, type Span, span, textLines } from './line.ts';
import type { SyntaxKind, Theme } from './theme.ts';

/** Longer code is shown without colours: they would take longer than the frame. */
const MAX_CHARACTERS = 40_000;

const KINDS: Readonly<Record<string, SyntaxKind>> = {
  ...{ keyword: 'keyword', literal: 'keyword', operator: 'keyword', 'selector-tag': 'keyword', tag: 'keyword' },
  ...{ string: 'string', regexp: 'string', addition: 'string', quote: 'string', 'template-tag': 'string' },
  ...{ number: 'number', symbol: 'number', meta: 'comment', comment: 'comment', doctag: 'comment' },
  ...{ title: 'title', section: 'title', name: 'title', 'selector-class': 'title', 'selector-id': 'title' },
  ...{ type: 'type', built_in: 'type', attr: 'type', attribute: 'type', variable: 'type', property: 'type' },
};

/** The lines of code in the colours of its language: a name as after a code fence, or the ending of a file. */
export function highlightedLines(code: string, language: string, theme: Theme): Line[] {
  if (code.length > MAX_CHARACTERS || !hljs.getLanguage(language)) return textLines(code);
  // What is no text goes first, so that it cannot come to life between two colours.
  const clean = textLines(code)
    .map((line) => line[0]?.text ?? '')
    .join('\n');
  return linesOf(hljs.highlight(clean, { language, ignoreIllegals: true }).value, theme);
}

/** The language of a file, as the highlighter knows it by its ending; its name where it has none. */
export function languageOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Reads what the highlighter writes: text, five entities, and `span` elements with the kind as their class. */
function linesOf(html: string, theme: Theme): Line[] {
  const lines: Span[][] = [[]];
  const paints: (Paint | undefined)[] = [];
  const add = (text: string) => {
    const paint = paints.at(-1);
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push(span(part, paint));
    }
  };
  for (const [piece, kind] of html.matchAll(/<span class="hljs-([\w-]+)[^>]*>|<[^>]*>|[^<]+/g)) {
    if (kind !== undefined) paints.push(paintOf(kind, theme) ?? paints.at(-1));
    else if (piece.startsWith('<span')) paints.push(paints.at(-1));
    else if (piece.startsWith('<')) paints.pop();
    else add(piece.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? ''));
  }
  return lines;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function paintOf(kind: string, theme: Theme): Paint | undefined {
  const known = KINDS[kind];
  return known && theme.syntax[known];
}
