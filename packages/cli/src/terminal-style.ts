import { styleText } from 'node:util';

/** Our own weights beside what a command prints in lines. */
export interface TerminalStyle {
  faint(text: string): string;
}

/** Plain where NO_COLOR is set, where the terminal has no colours, and where there is no terminal: by Node's own reading. */
export function styleOf(stream: NodeJS.WriteStream): TerminalStyle {
  const hasColors = stream.isTTY === true && stream.hasColors();
  return { faint: (text) => (hasColors && text !== '' ? styleText('dim', text, { validateStream: false }) : text) };
}
