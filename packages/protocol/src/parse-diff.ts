/** A row of a change as it is shown. */
export type DiffRow =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }
  | { readonly kind: 'added'; readonly after: number; readonly text: string }
  /** Lines that are left out, or what a diff says about itself. */
  | { readonly kind: 'note'; readonly text: string };

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const FILE_HEADER = /^(?:--- |\+\+\+ |diff --git |index |Index: |={20,})/;

/** Reads a unified diff as far as it is one: it may be cut at its end. Undefined when it has no change at all. */
export function parseDiff(diff: string): readonly DiffRow[] | undefined {
  const rows: DiffRow[] = [];
  let [before, after, isInHunk] = [0, 0, false];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (isInHunk) rows.push({ kind: 'note', text: '…' });
      [before, after, isInHunk] = [Number(hunk[1]), Number(hunk[2]), true];
    } else if (!isInHunk) {
      if (line !== '' && !FILE_HEADER.test(line)) rows.push({ kind: 'note', text: line });
    } else if (line.startsWith('-')) rows.push({ kind: 'removed', before: before++, text: line.slice(1) });
    else if (line.startsWith('+')) rows.push({ kind: 'added', after: after++, text: line.slice(1) });
    else if (line.startsWith(' ') || line === '')
      rows.push({ kind: 'same', before: before++, after: after++, text: line.slice(1) });
    else rows.push({ kind: 'note', text: line.replace(/^\\ /, '') });
  }
  return isInHunk ? rows : undefined;
}

/** The file that a diff names. */
export function pathOfDiff(diff: string): string | undefined {
  const name = /^\+\+\+ (?:b\/)?(.+)$/m.exec(diff)?.[1] ?? '';
  return name === '' || name === '/dev/null' ? /^--- (?:a\/)?(.+)$/m.exec(diff)?.[1] : name;
}
