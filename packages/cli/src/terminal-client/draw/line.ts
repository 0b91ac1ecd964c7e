import stringWidth from 'string-width';
import { plainText } from '../../terminal-text.ts';

/** Puts a colour or weight around text that has none. */
export type Paint = (text: string) => string;

/** A piece of a line in one colour. Its text is clean: no control character, no escape sequence, no line end. */
export interface Span {
  readonly text: string;
  readonly paint: Paint | undefined;
}

/** One row of the screen. */
export type Line = readonly Span[];

const TAB = '    ';
const ASCII = /^[\x20-\x7e]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The one way for text to get on the screen: whatever it holds, it is characters of one row. */
export function span(text: string, paint?: Paint): Span {
  if (ASCII.test(text)) return { text, paint };
  return { text: plainText(text).replaceAll('\t', TAB).replaceAll('\n', ' '), paint };
}

/** The lines of a text, clean, each as one span. */
export function textLines(text: string, paint?: Paint): Line[] {
  return plainText(text)
    .split('\n')
    .map((line) => [span(line, paint)]);
}

/** How many columns a clean text takes: two for what is wide, such as East Asian characters and emoji. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  if (text.length > MAX_KNOWN_LENGTH) return stringWidth(text);
  const known = knownWidths.get(text);
  if (known !== undefined) return known;
  const width = stringWidth(text);
  if (knownWidths.size >= MAX_KNOWN) knownWidths.clear();
  knownWidths.set(text, width);
  return width;
}

/** Signs, bars and characters come again with every frame, and measuring one is slow. */
const knownWidths = new Map<string, number>();
const MAX_KNOWN = 5000;
const MAX_KNOWN_LENGTH = 64;

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The characters of a text as they are seen, with their widths. */
export function* graphemes(text: string): Iterable<{ readonly text: string; readonly width: number }> {
  if (ASCII.test(text)) for (const char of text) yield { text: char, width: 1 };
  else for (const { segment } of segmenter.segment(text)) yield { text: segment, width: textWidth(segment) };
}

/** The line as it is written to the terminal. Every colour ends where its span ends. */
export function renderLine(line: Line): string {
  return line.map(({ text, paint }) => (paint ? paint(text) : text)).join('');
}

/** The line in at most `width` columns; what is cut off is an ellipsis. */
export function cutLine(whole: Line, width: number): Line {
  const line = shortLine(whole, width);
  if (lineWidth(line) <= width) return line;
  const kept: Span[] = [];
  let left = width - 1;
  for (const { text, paint } of line) {
    let part = '';
    for (const char of graphemes(text)) {
      if (char.width > left) return [...kept, { text: `${part}…`, paint }];
      part += char.text;
      left -= char.width;
    }
    kept.push({ text: part, paint });
  }
  return kept;
}

/** No character of a text that is read is made of so many; beyond it a text of megabytes is not even measured. */
const MAX_UNITS_OF_COLUMN = 32;

function shortLine(line: Line, width: number): Line {
  const maxLength = width * MAX_UNITS_OF_COLUMN;
  if (line.every(({ text }) => text.length <= maxLength)) return line;
  return line.map(({ text, paint }) =>
    text.length <= maxLength ? { text, paint } : { text: `${text.slice(0, maxLength).toWellFormed()}…`, paint },
  );
}
