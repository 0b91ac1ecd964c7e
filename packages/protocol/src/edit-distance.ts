/** How many insertions, deletions, replacements and swaps of neighbours turn one text into the other. */
export function editDistance(from: string, to: string): number {
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
