import { MAX_LINE_CHARACTERS, shownText } from './shown-text.ts';

const SIZE = { head: 40, tail: 10 };
const DIFF = /^--- .*\n\+\+\+ .*\n@@ /m;

/** What a tool leaves out of its diff, it says at the end of a line. */
const LEFT_OUT = /\(\d+ more \w+\)$/m;

/** What a row of a question is; `place` is where in a file a change stands. */
export type RowTone = 'plain' | 'faint' | 'place' | 'added' | 'removed';

export interface ShownRow {
  /** Visible text: it holds no control character. */
  readonly text: string;
  readonly tone: RowTone;
}

export interface ShownPreview {
  readonly rows: readonly ShownRow[];
  readonly isCut: boolean;
  /** Whether it is a diff, of which at most whole lines in the middle are not shown. */
  readonly isPlainDiff: boolean;
}

/** The rows of a preview; of a diff each with what it is. */
export function shownPreview(preview: string, isWhole: boolean): ShownPreview {
  const isDiff = DIFF.test(preview);
  const { lines, isCut } = shownText(isDiff ? withCrlfOnce(preview) : preview, isWhole ? undefined : SIZE);
  if (!isDiff) return { rows: lines.map((text) => ({ text, tone: 'plain' })), isCut, isPlainDiff: false };
  let isInHunk = false;
  const rows = lines.map((text): ShownRow => {
    isInHunk ||= /^@@ /.test(text);
    return { text, tone: isInHunk ? toneInHunk(text) : 'faint' };
  });
  const isPlainDiff = !LEFT_OUT.test(preview) && !preview.split('\n').some((line) => line.length > MAX_LINE_CHARACTERS);
  return { rows, isCut, isPlainDiff };
}

function toneInHunk(line: string): RowTone {
  if (/^@@ /.test(line)) return 'place';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith(' ') || line === '' ? 'plain' : 'faint';
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
