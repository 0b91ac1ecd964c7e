import type { MarkedToken, Token } from 'marked';
import { type Line, type Paint, type Span, span } from './line.ts';
import { both, type Theme } from './theme.ts';

/** The words of a block with their weights; each line that its author has broken is one. */
export function inlineLines(tokens: readonly Token[], theme: Theme, paint?: Paint): Line[] {
  const lines: Span[][] = [[]];
  for (const piece of spansOf(tokens, theme, paint))
    if (piece === 'break') lines.push([]);
    else lines.at(-1)?.push(piece);
  return lines;
}

function spansOf(tokens: readonly Token[], theme: Theme, paint: Paint | undefined): (Span | 'break')[] {
  return (tokens as readonly MarkedToken[]).flatMap((token) => spansOfToken(token, theme, paint));
}

function spansOfToken(token: MarkedToken, theme: Theme, paint: Paint | undefined): (Span | 'break')[] {
  const over = (more: Paint) => (paint ? both(paint, more) : more);
  switch (token.type) {
    case 'strong':
      return spansOf(token.tokens, theme, over(theme.strong));
    case 'em':
      return spansOf(token.tokens, theme, over(theme.emphasis));
    case 'del':
      return [span('~', paint), ...spansOf(token.tokens, theme, paint), span('~', paint)];
    case 'codespan':
      return [span(token.text, theme.code)];
    case 'br':
      return ['break'];
    case 'link':
      return [...spansOf(token.tokens, theme, over(theme.underline)), ...whereTo(token, theme)];
    case 'image':
      return [span(`[picture: ${token.text || 'without a name'}]`, paint), ...whereTo(token, theme)];
    case 'text':
      return token.tokens ? spansOf(token.tokens, theme, paint) : [span(token.text, paint)];
    case 'escape':
      return [span(token.text, paint)];
    default:
      return [span(token.raw, paint)];
  }
}

/** The host of a link stands beside it: its words may say another one. */
function whereTo({ href, text }: { href: string; text: string }, theme: Theme): Span[] {
  if (href === text || href === `mailto:${text}`) return [];
  return [span(` (${hostOf(href)})`, theme.faint)];
}

/** The host that an address leads to; the address itself where it names none. */
export function hostOf(href: string): string {
  const url = URL.parse(href);
  return url === null || url.host === '' ? href : url.host;
}
