/** Parts of a list, from `first` up to and without `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** What of a list should be there: what is near enough to be drawn, and what is too far to be kept. */
interface Reach {
  readonly near: Range;
  readonly far: Range;
  /** The part in the middle of what is seen. */
  readonly middle: number;
}

interface Sight {
  readonly heights: readonly number[];
  readonly top: number;
  readonly height: number;
}

const NEAR_PX = 1000;
const FAR_PX = 3000;

export function reachOf(sight: Sight): Reach {
  const { top, height } = sight;
  const range = (beyond: number): Range => ({
    first: partAt(sight, top - beyond),
    end: partAt(sight, top + height + beyond) + 1,
  });
  return { near: range(NEAR_PX), far: range(FAR_PX), middle: partAt(sight, top + height / 2) };
}

function partAt({ heights }: Sight, position: number): number {
  let bottom = 0;
  for (const [part, height] of heights.entries()) {
    bottom += height;
    if (bottom > position) return part;
  }
  return Math.max(0, heights.length - 1);
}

/** One step from what is there to what should be: a part more on the side that is missing, or a new beginning elsewhere. */
export function nextRange(range: Range, { near, far, middle }: Reach): Range {
  const isElsewhere = range.end <= far.first || range.first >= far.end;
  if (isElsewhere || range.first >= range.end) return { first: middle, end: middle + 1 };
  const first = Math.max(range.first, far.first);
  const end = Math.min(range.end, far.end);
  if (first > range.first || end < range.end) return { first, end };
  const [missesBefore, missesBehind] = [near.first < first, near.end > end];
  if (!missesBefore && !missesBehind) return range;
  const isBeforeNearer = middle - first < end - 1 - middle;
  return missesBefore && (isBeforeNearer || !missesBehind) ? { first: first - 1, end } : { first, end: end + 1 };
}

/** The parts in their order: those that are there, and the heights of those between them. */
export function layOut(
  heights: readonly number[],
  isThere: (part: number) => boolean,
): readonly ({ readonly part: number } | { readonly before: number; readonly awayPx: number })[] {
  const pieces: ({ part: number } | { before: number; awayPx: number })[] = [];
  for (const [part, height] of heights.entries()) {
    const last = pieces.at(-1);
    if (isThere(part)) pieces.push({ part });
    else if (last && 'awayPx' in last) last.awayPx += height;
    else pieces.push({ before: part, awayPx: height });
  }
  return pieces;
}
