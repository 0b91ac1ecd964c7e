/** The value below which the part `p` (0 to 1) of the values lies, interpolated. Of nothing it is NaN. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * p;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * How many times as long `over` takes as `under`: the median of the ratios within each round. Both ran within the same
 * few hundred milliseconds, so that a machine that slows down for a while slows both down.
 */
export function pairedRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.flatMap((value, round) => value / (under[round] ?? Number.NaN)).filter(Number.isFinite));
}
