/** Longer names are compared by their beginning: the work is bounded whatever a document holds. */
const COMPARED_LENGTH = 64;

/**
 * The names of `candidates` that were probably meant by `name`, nearest first, at most `limit`. Case, `_`, `-` and `.`
 * count for nothing; swapped neighbours count as one slip.
 */
export function nearNames(name: string, candidates: Iterable<string>, limit = 1): string[] {
  const wanted = plain(name);
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const other = plain(candidate);
    const allowed = Math.max(1, Math.floor(Math.min(wanted.length, other.length) / 3));
    if (Math.abs(wanted.length - other.length) > allowed) continue;
    const distance = editDistance(wanted, other);
    if (distance <= allowed) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, limit).map(({ candidate }) => candidate);
}

function plain(name: string): string {
  return name.slice(0, COMPARED_LENGTH).toLowerCase().replace(/[_.-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(previous, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let best = Math.min(replaced, at(previous, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, at(beforePrevious, j - 2) + 1);
      }
      row.push(best);
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
