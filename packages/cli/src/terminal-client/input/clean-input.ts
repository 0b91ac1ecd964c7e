import { textOnly } from '../../terminal-text.ts';

/** What was typed or pasted as text that can be written: whatever ends a line is LF, controls and sequences are left out. */
export function cleanInput(text: string): string {
  return textOnly(text.replaceAll(/\r\n?/g, '\n')).toWellFormed();
}
