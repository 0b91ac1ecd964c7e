import { styleText } from 'node:util';

/** Our own colours and weights, the only ones on the screen that mean something. */
export interface TerminalStyle {
  strong(text: string): string;
  faint(text: string): string;
  added(text: string): string;
  removed(text: string): string;
  place(text: string): string;
}

/** Plain where NO_COLOR is set, where the terminal has no colours, and where there is no terminal. */
export function createTerminalStyle(hasColors: boolean): TerminalStyle {
  type Format = Parameters<typeof styleText>[0];
  const styled = (format: Format) => (text: string) =>
    hasColors && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: styled('bold'),
    faint: styled('dim'),
    added: styled('green'),
    removed: styled('red'),
    place: styled('cyan'),
  };
}

/** Node's own reading of the environment: NO_COLOR, FORCE_COLOR, TERM. */
export function styleOf(stream: NodeJS.WriteStream): TerminalStyle {
  return createTerminalStyle(stream.isTTY === true && stream.hasColors());
}
