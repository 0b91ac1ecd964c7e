const DAY_MS = 86_400_000;

/** Counts calls by key in one day of UTC. */
export interface DailyQuota {
  /** Counts a call and returns 0, or counts nothing and returns the ms until the next day of UTC. */
  admit(key: string, perDay: number, nowMs: number): number;
  /** Lets go of what it counts in, where that is not this process's memory. */
  close?(): void;
}

/** The counts are this host's own and start at zero with it; a store that several hosts share takes this one's place. */
export function createDailyQuota(): DailyQuota {
  const counts = new Map<string, number>();
  let day = Number.NEGATIVE_INFINITY;
  return {
    admit(key, perDay, nowMs) {
      const today = Math.floor(nowMs / DAY_MS);
      // Only forward: a clock that is set back over midnight gives no second quota.
      if (today > day) {
        day = today;
        counts.clear();
      }
      const count = counts.get(key) ?? 0;
      if (count >= perDay) return (day + 1) * DAY_MS - nowMs;
      counts.set(key, count + 1);
      return 0;
    },
  };
}
