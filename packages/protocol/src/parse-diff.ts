/** A row of a change as it is shown. */
export type DiffRow =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }
  | { readonly kind: 'added'; readonly after: number; readonly text: string }
  /** Lines that are left out, what a diff says about itself, or the name of the file that follows. */
  | { readonly kind: 'note'; readonly text: string; readonly isFile?: true };

/** What a diff changes in one file. */
export interface FileDiff {
  /** Undefined where the diff names none. */
  readonly path: string | undefined;
  readonly rows: readonly DiffRow[];
  /** The lines of the diff that are about it. */
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const FILE_START = /^(?:diff --git |Index: )/;
const FILE_HEADER = /^(?:--- |\+\+\+ |diff --git |index |Index: |={20,})/;

/**
 * Reads a unified diff, a part for each file, as far as it is one: it may be cut at its end, and its counts of lines may
 * be wrong. Empty when it has no change at all.
 */
export function parseDiffFiles(diff: string): readonly FileDiff[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  if (!lines.some((line) => HUNK.test(line))) return [];
  const starts = fileStarts(lines);
  const files = starts.map((start, at): FileDiff => {
    const end = starts[at + 1];
    const own = withoutLastGap(lines.slice(start, end), end === undefined);
    return { path: pathOf(own), rows: rowsOf(own), text: `${own.join('\n')}\n` };
  });
  return files.filter(({ rows }) => rows.length > 0);
}

/** The same in one list; of several files, each begins with a note that names it. Undefined when there is no change. */
export function parseDiff(diff: string): readonly DiffRow[] | undefined {
  const files = parseDiffFiles(diff);
  if (files.length < 2) return files[0]?.rows;
  return files.flatMap(({ path, rows }) =>
    path === undefined ? rows : [{ kind: 'note' as const, text: path, isFile: true as const }, ...rows],
  );
}

/** The first file that a diff names. */
export function pathOfDiff(diff: string): string | undefined {
  return pathOf(diff.split('\n'));
}

/** How many lines of the hunk are still to come on each side. */
interface Left {
  before: number;
  after: number;
}

/** The lines where the part of another file begins; the first of them is 0. */
function fileStarts(lines: readonly string[]): readonly number[] {
  const starts = [0];
  let [left, hasHead] = [undefined as Left | undefined, false];
  for (const [at, line] of lines.entries()) {
    const hunk = HUNK.exec(line);
    if (hunk) left = countsOf(hunk);
    else if (FILE_START.test(line) || (left && isFileHead(lines, at, left))) {
      if (left || hasHead) starts.push(at);
      [left, hasHead] = [undefined, FILE_START.test(line)];
    } else if (left) count(left, line);
  }
  return starts;
}

/** Between the parts of two files there may be an empty line. */
function withoutLastGap(lines: readonly string[], isLast: boolean): readonly string[] {
  const end = isLast ? lines.length : lines.findLastIndex((line) => line !== '') + 1;
  return lines.slice(0, end);
}

/** A removed line may look like the head of a file: where the hunk still wants one, it is one. */
function isFileHead(lines: readonly string[], at: number, { before, after }: Left): boolean {
  if (!lines[at]?.startsWith('--- ') || !lines[at + 1]?.startsWith('+++ ')) return false;
  if (before < 1 || after < 1) return true;
  return HUNK.test(lines[at + 2] ?? '') && before + after > 2;
}

function count(left: Left, line: string): void {
  const [sign] = line;
  if (sign !== '+' && sign !== '\\') left.before -= 1;
  if (sign !== '-' && sign !== '\\') left.after -= 1;
}

function countsOf([, , before = '1', , after = '1']: RegExpExecArray): Left {
  return { before: Number(before), after: Number(after) };
}

function rowsOf(lines: readonly string[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after, isInHunk] = [0, 0, false];
  for (const line of lines) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (isInHunk) rows.push({ kind: 'note', text: '…' });
      [before, after, isInHunk] = [Number(hunk[1]), Number(hunk[3]), true];
    } else if (!isInHunk) {
      if (line !== '' && !FILE_HEADER.test(line)) rows.push({ kind: 'note', text: line });
    } else if (line.startsWith('-')) rows.push({ kind: 'removed', before: before++, text: line.slice(1) });
    else if (line.startsWith('+')) rows.push({ kind: 'added', after: after++, text: line.slice(1) });
    else if (line.startsWith(' ') || line === '')
      rows.push({ kind: 'same', before: before++, after: after++, text: line.slice(1) });
    else rows.push({ kind: 'note', text: line.replace(/^\\ /, '') });
  }
  return rows;
}

/** As the lines above the first hunk say it. What stands behind a TAB is the time of the file. */
function pathOf(lines: readonly string[]): string | undefined {
  const hunk = lines.findIndex((line) => HUNK.test(line));
  const head = hunk === -1 ? lines : lines.slice(0, hunk);
  const named = (pattern: RegExp) => head.flatMap((line) => pattern.exec(line)?.[1] ?? []).at(0);
  const after = named(/^\+\+\+ (?:b\/)?([^\t]+)/);
  if (after !== undefined && after !== '/dev/null') return after;
  return named(/^--- (?:a\/)?([^\t]+)/) ?? named(/^diff --git a\/.+ b\/(.+)$/);
}
