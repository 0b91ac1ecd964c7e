const MAX_KEPT = 500;
const heights = new Map<string, number>();

/** How high an interface was, so that a place is kept for it before it is drawn again. */
export function keptHeight(key: string): number | undefined {
  return heights.get(key);
}

export function keepHeight(key: string, height: number): void {
  heights.delete(key);
  heights.set(key, height);
  for (const oldest of heights.keys()) {
    if (heights.size <= MAX_KEPT) return;
    heights.delete(oldest);
  }
}
