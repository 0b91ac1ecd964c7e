import { graphemes, type Line, lineWidth, type Paint, type Span, textWidth } from './line.ts';

export interface WrapOptions {
  readonly width: number;
  /** Before the first row, and before each further one; as many columns both. */
  readonly first?: Line;
  readonly rest?: Line;
}

/** No row is narrower, whatever stands before it. */
const MIN_WIDTH = 8;

/** The rows of a line that may be too long: broken between words, and inside one only where it alone is too long. */
export function wrapLine(line: Line, { width, first = [], rest = first }: WrapOptions): Line[] {
  const columns = Math.max(MIN_WIDTH, width - lineWidth(first));
  if (lineWidth(line) <= columns) return [[...first, ...line]];
  return brokenRows(line, columns).map((row, index) => [...(index === 0 ? first : rest), ...row]);
}

export function wrapLines(lines: readonly Line[], options: WrapOptions): Line[] {
  const further = { ...options, first: options.rest ?? options.first ?? [] };
  return lines.flatMap((line, index) => wrapLine(line, index === 0 ? options : further));
}

function brokenRows(line: Line, columns: number): Line[] {
  const rows: Span[][] = [[]];
  let used = 0;
  const put = (text: string, paint: Paint | undefined) => {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last && last.paint === paint) row?.splice(-1, 1, { text: last.text + text, paint });
    else row?.push({ text, paint });
  };
  const breakRow = () => {
    rows.push([]);
    used = 0;
  };
  for (const word of wordsOf(line)) {
    if (used > 0 && used + word.width > columns) {
      breakRow();
      if (word.isSpace) continue;
    }
    for (const { text, paint } of word.parts)
      for (const char of word.width > columns ? graphemes(text) : [{ text, width: textWidth(text) }]) {
        if (used > 0 && used + char.width > columns) breakRow();
        put(char.text, paint);
        used += char.width;
      }
  }
  return rows;
}

interface Word {
  readonly parts: Span[];
  width: number;
  readonly isSpace: boolean;
}

/** Words and the spaces between them, over the borders of spans. A character of two columns is a word of its own. */
function wordsOf(line: Line): Word[] {
  const words: Word[] = [];
  for (const { text, paint } of line)
    for (const [part] of text.matchAll(/ +|[^ \u1100-\u115f\u2e80-\uffdc]+|[\s\S]/gu)) {
      const isSpace = part.startsWith(' ');
      const isWide = /^[\u1100-\u115f\u2e80-\uffdc]/.test(part);
      const last = words.at(-1);
      const width = textWidth(part);
      if (last && !isSpace && !isWide && !last.isSpace && !endsWide(last)) {
        last.parts.push({ text: part, paint });
        last.width += width;
      } else words.push({ parts: [{ text: part, paint }], width, isSpace });
    }
  return words;
}

function endsWide({ parts }: Word): boolean {
  return /[\u1100-\u115f\u2e80-\uffdc]$/.test(parts.at(-1)?.text ?? '');
}
