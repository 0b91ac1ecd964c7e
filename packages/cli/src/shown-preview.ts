import { type ShownText, shownText } from './shown-text.ts';
import type { TerminalStyle } from './terminal-style.ts';

const SIZE = { head: 50, tail: 10 };
const DIFF = /^--- .*\n\+\+\+ .*\n@@ /m;

/** What a tool leaves out of its diff, it says at the end of a line. */
const LEFT_OUT = /\(\d+ more \w+\)$/m;

export interface ShownPreview extends ShownText {
  /** Whether it is a diff, and all of it is shown. */
  readonly isWholeDiff: boolean;
}

/** The lines of a preview; those of a diff in their colours. */
export function shownPreview(preview: string, isWhole: boolean, style: TerminalStyle): ShownPreview {
  const { lines, isCut } = shownText(preview, isWhole ? undefined : SIZE);
  if (!DIFF.test(preview)) return { lines, isCut, isWholeDiff: false };
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
  return { lines: coloured, isCut, isWholeDiff: !isCut && !LEFT_OUT.test(preview) };
}
