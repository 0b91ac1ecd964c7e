import { plainText } from './terminal-text.ts';

const MAX_ARGUMENT = 80;
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What stands above a call's output: its name, and in short what it is about. */
export function callHeading(name: string, argument: string): string {
  return `▸ ${name}${shortArgument(argument)}`;
}

export function shortArgument(text: string): string {
  const line = plainText(text).replaceAll('\n', ' ');
  if (line === '' || line === '{}') return '';
  if (line.length <= MAX_ARGUMENT) return ` ${line}`;
  // Longer than any text of so many characters that is read: a text of megabytes is not looked at as a whole.
  const characters = Array.from(GRAPHEMES.segment(line.slice(0, MAX_ARGUMENT * 32)), ({ segment }) => segment);
  return ` ${characters.length > MAX_ARGUMENT ? `${characters.slice(0, MAX_ARGUMENT).join('')}…` : line}`;
}
