import { eq } from 'drizzle-orm';
import { dailyCounts } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';

/** Counts uses by day for all hosts of a home. */
export function createDailyCounter(db: SessionDatabase): (key: string, day: number, max: number) => boolean {
  return (key, day, max) =>
    db.transaction(
      () => {
        const kept = db.select().from(dailyCounts).where(eq(dailyCounts.key, key)).get();
        // Only forward: a clock that is set back over midnight gives no second quota.
        const today = Math.max(day, kept?.day ?? day);
        const count = kept?.day === today ? kept.count : 0;
        if (count >= max) return false;
        const set = { day: today, count: count + 1 };
        db.insert(dailyCounts)
          .values({ key, ...set })
          .onConflictDoUpdate({ target: dailyCounts.key, set })
          .run();
        return true;
      },
      { behavior: 'immediate' },
    );
}
