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
  const isDiff = DIFF.test(preview);
  const { lines, isCut } = shownText(isDiff ? withCrlfOnce(preview) : preview, isWhole ? undefined : SIZE);
  if (!isDiff) return { lines, isCut, isPlainDiff: false };
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

/** A CR at the end of every line of a diff is said once: shown on each line it hides the change. */
function withCrlfOnce(diff: string): string {
  const lines = diff.split('\n');
  const firstHunk = lines.findIndex((line) => line.startsWith('@@ '));
  const isContent = (line: string, at: number) => at > firstHunk && /^[ +-]/.test(line);
  const content = lines.filter(isContent);
  if (content.length === 0 || !content.every((line) => line.endsWith('\r'))) return diff;
  const plain = lines.map((line, at) => (isContent(line, at) ? line.slice(0, -1) : line));
  return [...plain, '(each of these lines ends in CRLF)'].join('\n');
}
