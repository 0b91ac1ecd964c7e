import { type DiffRow, parseDiffFiles, pathOfDiff } from '@toolpost/protocol';
import { MAX_LINE_CHARACTERS, shownText } from './shown-text.ts';

const SIZE = { head: 40, tail: 10 };
const DIFF = /^--- .*\n\+\+\+ .*\n@@ /m;

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** What a tool leaves out of its diff, it says at the end of a line. */
const LEFT_OUT = /\(\d+ more \w+\)$/m;

/** What a row of a question is; `place` is where in a file a change stands. */
export type RowTone = 'plain' | 'faint' | 'place' | 'added' | 'removed';

export interface ShownRow {
  /** Visible text: it holds no control character. */
  readonly text: string;
  readonly tone: RowTone;
}

/** A change with its lines by their numbers, all of it visible text. */
export interface ShownChange {
  readonly path: string;
  readonly rows: readonly DiffRow[];
}

export interface ShownPreview {
  readonly rows: readonly ShownRow[];
  /** What stands below the rows, where the preview is the whole diff of one file. */
  readonly change: ShownChange | undefined;
  readonly isCut: boolean;
  /** Whether it is a diff, of which at most whole lines in the middle are not shown. */
  readonly isPlainDiff: boolean;
}

/** The rows of a preview; of a diff each with what it is. */
export function shownPreview(preview: string, isWhole: boolean): ShownPreview {
  const isDiff = DIFF.test(preview);
  const { lines, isCut } = shownText(isDiff ? withCrlfOnce(preview) : preview, isWhole ? undefined : SIZE);
  if (!isDiff)
    return { rows: lines.map((text) => ({ text, tone: 'plain' })), change: undefined, isCut, isPlainDiff: false };
  let isInHunk = false;
  const rows = lines.map((text): ShownRow => {
    isInHunk ||= /^@@ /.test(text);
    return { text, tone: isInHunk ? toneInHunk(text) : 'faint' };
  });
  const isPlainDiff = !LEFT_OUT.test(preview) && !preview.split('\n').some((line) => line.length > MAX_LINE_CHARACTERS);
  const start = lines.findIndex((line) => HUNK.test(line));
  const change = isCut || start === -1 ? undefined : changeOf(lines, start);
  return { rows: change ? rows.slice(0, start) : rows, change, isCut, isPlainDiff };
}

/** Of what is about several files something would be left out here: it stays as it is. */
function changeOf(lines: readonly string[], start: number): ShownChange | undefined {
  const [file, second] = parseDiffFiles(lines.slice(start).join('\n'));
  return file && !second ? { path: pathOfDiff(lines.join('\n')) ?? '', rows: file.rows } : undefined;
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
