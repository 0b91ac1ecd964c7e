import type { DiffRow } from '@toolpost/protocol';

export { type DiffRow, type FileDiff, parseDiff, parseDiffFiles, pathOfDiff } from '@toolpost/protocol';

export type DiffPair = { readonly left: DiffRow | undefined; readonly right: DiffRow | undefined };

/** The same rows side by side: what was removed beside what came in its place. */
export function pairRows(rows: readonly DiffRow[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < rows.length; ) {
    const removed = takeWhile(rows, at, 'removed');
    const added = takeWhile(rows, at + removed.length, 'added');
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push({ left: removed[index], right: added[index] });
    at += removed.length + added.length;
    const row = rows[at];
    if (removed.length + added.length > 0 || !row) continue;
    pairs.push({ left: row, right: row });
    at += 1;
  }
  return pairs;
}

function takeWhile(rows: readonly DiffRow[], start: number, kind: DiffRow['kind']): readonly DiffRow[] {
  let end = start;
  while (rows[end]?.kind === kind) end += 1;
  return rows.slice(start, end);
}
