import { plainText } from './terminal-text.ts';

const MAX_ARGUMENT = 80;

/** What stands above a call's output: its name, and in short what it is about. */
export function callHeading(name: string, argument: string): string {
  return `▸ ${name}${shortArgument(argument)}`;
}

export function shortArgument(text: string): string {
  const line = plainText(text).replaceAll('\n', ' ');
  if (line === '' || line === '{}') return '';
  const characters = [...line];
  return ` ${characters.length > MAX_ARGUMENT ? `${characters.slice(0, MAX_ARGUMENT).join('')}…` : line}`;
}
