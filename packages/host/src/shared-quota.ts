import { messageOf } from '@toolpost/protocol';
import { createDailyQuota, type DailyQuota } from './limits/daily-quota.ts';
import type { PluginLimits } from './limits/limits.ts';

const DAY_MS = 86_400_000;

interface QuotaPlace {
  readonly homeDir: string;
  readonly warn: (message: string) => void;
}

/**
 * The daily quota in the home's database, so that it holds for all hosts of a home together and over their restarts. The
 * database is opened only where some plugin has a quota; where it does not work, this host counts by itself, with a
 * warning.
 */
export async function openSharedQuota(
  limits: Readonly<Record<string, PluginLimits>>,
  { homeDir, warn }: QuotaPlace,
): Promise<DailyQuota> {
  const own = createDailyQuota();
  if (!Object.values(limits).some(({ callsPerDay = 0 }) => callsPerDay > 0)) return own;
  const warnOf = (error: unknown) => {
    const reason = messageOf(error);
    warn(`daily quotas are counted from now on for this process alone: ${reason}`);
  };
  const { createSessionStore } = await import('./sessions/create-session-store.ts');
  try {
    const store = createSessionStore(homeDir);
    return {
      admit(key, perDay, nowMs) {
        const day = Math.floor(nowMs / DAY_MS);
        try {
          return store.countDaily(key, day, perDay) ? 0 : (day + 1) * DAY_MS - nowMs;
        } catch (error) {
          warnOf(error);
          return own.admit(key, perDay, nowMs);
        }
      },
      close: () => store.close(),
    };
  } catch (error) {
    warnOf(error);
    return own;
  }
}
