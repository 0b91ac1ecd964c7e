import { MAX_LINE_CHARACTERS, type ShownText, shownText } from './shown-text.ts';
import type { TerminalStyle } from './terminal-style.ts';

const SIZE = { head: 40, tail: 10 };
const DIFF = /^--- .*\n\+\+\+ .*\n@@ /m;

/** What a tool leaves out of its diff, it says at the end of a line. */
const LEFT_OUT = /\(\d+ more \w+\)$/m;

export interface ShownPreview extends ShownText {
  /** Whether it is a diff, of which at most whole lines in the middle are not shown. */
  readonly isPlainDiff: boolean;
}

/** The lines of a preview; those of a diff in their colours. */
export function shownPreview(preview: string, isWhole: boolean, style: TerminalStyle): ShownPreview {
  const { lines, isCut } = shownText(preview, isWhole ? undefined : SIZE);
  if (!DIFF.test(preview)) return { lines, isCut, isPlainDiff: false };
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
  const isPlainDiff = !LEFT_OUT.test(preview) && !preview.split('\n').some((line) => line.length > MAX_LINE_CHARACTERS);
  return { lines: coloured, isCut, isPlainDiff };
}
