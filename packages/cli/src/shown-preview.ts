import { type ShownText, shownText } from './shown-text.ts';
import type { TerminalStyle } from './terminal-style.ts';

const SIZE = { head: 50, tail: 10 };
const DIFF = /^--- .*\n\+\+\+ .*\n@@ /m;

/** Whether a preview of a built-in tool has a diff in it. */
export function hasDiff(preview: string): boolean {
  return DIFF.test(preview);
}

/** The lines of a preview; those of a diff in their colours. */
export function shownPreview(preview: string, isWhole: boolean, style: TerminalStyle): ShownText {
  const { lines, isCut } = shownText(preview, isWhole ? undefined : SIZE);
  if (!hasDiff(preview)) return { lines, isCut };
  let isInHunk = false;
  const coloured = lines.map((line) => {
    if (/^@@ /.test(line)) {
      isInHunk = true;
      return style.place(line);
    }
    if (!isInHunk) return style.faint(line);
    if (line.startsWith('+')) return style.added(line);
    if (line.startsWith('-')) return style.removed(line);
    return line.startsWith(' ') || line === '' ? line : style.faint(line);
  });
  return { lines: coloured, isCut };
}
