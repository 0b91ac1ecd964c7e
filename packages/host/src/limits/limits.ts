import { formatDuration } from '@toolpost/protocol';
import { type ConcurrencyLimit, createConcurrencyLimit, joinLimits } from './concurrency-limit.ts';
import { createDailyQuota, type DailyQuota } from './daily-quota.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** The limits of one plugin, for each tenant apart. Absent and 0 mean none. */
export interface PluginLimits {
  readonly callsPerMinute?: number;
  /** A day of UTC. */
  readonly callsPerDay?: number;
  /** Calls at once. */
  readonly concurrency?: number;
}

export type Admission = { readonly ok: true } | { readonly ok: false; readonly text: string };

export interface Limits {
  /**
   * Counts one call of the tenant. When refused, `text` starts with `rate limit exceeded for plugin <id>` or `daily
   * quota exceeded for plugin <id>` and says what to do.
   */
  admit(pluginId: string, tenant: string): Admission;
  /**
   * What the call has to acquire before it runs and to release after; nothing when it may run at once. Both the tenant's
   * limit and the one of what runs the plugin, for all tenants that it serves together, are in it.
   */
  concurrencyOf(pluginId: string, tenant: string, runner?: LimitedRunner): ConcurrencyLimit | undefined;
  /** Counts no more. */
  close(): void;
}

/** How many calls at once what runs a plugin takes, and the tenant that it is for alone. */
export interface LimitedRunner {
  readonly maxConcurrentCalls?: number | undefined;
  readonly tenant?: string | undefined;
}

export interface LimitsOptions {
  /** Milliseconds since 1970; `Date.now` when absent. */
  readonly now?: () => number;
  readonly dailyQuota?: DailyQuota;
}

const MINUTE_MS = 60_000;
/** Beyond this the idle entries of tenants are dropped. */
const SWEEP_SIZE = 1024;
const ADMITTED: Admission = Object.freeze({ ok: true });

/** `settings` is the configuration's `limits`, by plugin id. */
export function createLimits(settings: Readonly<Record<string, PluginLimits>>, options: LimitsOptions = {}): Limits {
  const { now = Date.now, dailyQuota = createDailyQuota() } = options;
  const limited = new Map(Object.entries(settings));
  const rates = new Map<string, RateLimiter>();
  const slots = createSlots();

  const refusal = (pluginId: string, tenant: string, limits: PluginLimits): string | undefined => {
    const { callsPerMinute = 0, callsPerDay = 0 } = limits;
    const key = keyOf(pluginId, tenant);
    const nowMs = now();
    if (callsPerMinute > 0) {
      const rate = kept(
        rates,
        key,
        () => createRateLimiter(callsPerMinute, MINUTE_MS),
        (one) => one.isIdle(nowMs),
      );
      const waitMs = rate.admit(nowMs);
      if (waitMs > 0) return rateText(pluginId, callsPerMinute, waitMs);
    }
    const waitMs = callsPerDay > 0 ? dailyQuota.admit(key, callsPerDay, nowMs) : 0;
    return waitMs > 0 ? quotaText(pluginId, callsPerDay, waitMs) : undefined;
  };

  return {
    admit(pluginId, tenant) {
      const limits = limited.get(pluginId);
      if (!limits) return ADMITTED;
      const text = refusal(pluginId, tenant, limits);
      return text === undefined ? ADMITTED : { ok: false, text };
    },
    concurrencyOf: (pluginId, tenant, runner) =>
      slots({
        pluginId,
        tenant,
        servedTenant: runner?.tenant,
        maxConcurrentCalls: runner?.maxConcurrentCalls ?? 0,
        concurrency: limited.get(pluginId)?.concurrency ?? 0,
      }),
    close: () => dailyQuota.close?.(),
  };
}

/** No tenant is called so. */
const ALL_TENANTS = '\0';

interface SlotRequest {
  readonly pluginId: string;
  readonly tenant: string;
  readonly servedTenant: string | undefined;
  readonly concurrency: number;
  readonly maxConcurrentCalls: number;
}

/** The concurrency limits that are in use, of plugins and of tenants. */
function createSlots(): (request: SlotRequest) => ConcurrencyLimit | undefined {
  const ofTenant = new Map<string, ConcurrencyLimit>();
  const ofPlugin = new Map<string, ConcurrencyLimit>();

  const ownLimit = ({ pluginId, servedTenant = ALL_TENANTS, maxConcurrentCalls: max }: SlotRequest) =>
    isBound(max)
      ? kept(ofPlugin, keyOf(pluginId, `${max}\0${servedTenant}`), () => createConcurrencyLimit(max), isIdle)
      : undefined;

  return (request) => {
    const { pluginId, tenant, concurrency } = request;
    const own = ownLimit(request);
    if (!isBound(concurrency)) return own;
    // One for all tools of the plugin, of which some may have a limit of their own.
    const limit = kept(ofTenant, keyOf(pluginId, tenant), () => createConcurrencyLimit(concurrency), isIdle);
    return own ? joinLimits(limit, own) : limit;
  };
}

function isBound(max: number): boolean {
  return max > 0 && Number.isFinite(max);
}

function isIdle(limit: ConcurrencyLimit): boolean {
  return limit.isIdle;
}

/** The entry of a key, made when it is missing; the map sheds what is idle once it is large. */
function kept<Entry>(
  map: Map<string, Entry>,
  key: string,
  make: () => Entry,
  isIdleEntry: (entry: Entry) => boolean,
): Entry {
  const known = map.get(key);
  if (known) return known;
  if (map.size >= SWEEP_SIZE) for (const [other, entry] of map) if (isIdleEntry(entry)) map.delete(other);
  const made = make();
  map.set(key, made);
  return made;
}

function keyOf(pluginId: string, tenant: string): string {
  return `${pluginId}\0${tenant}`;
}

function rateText(pluginId: string, callsPerMinute: number, waitMs: number): string {
  return `rate limit exceeded for plugin ${pluginId}: at most ${callsPerMinute} calls a minute; wait ${seconds(waitMs)}, then call again`;
}

function quotaText(pluginId: string, callsPerDay: number, waitMs: number): string {
  return `daily quota exceeded for plugin ${pluginId}: at most ${callsPerDay} calls a day; go on without it, there are new ones in ${seconds(waitMs)} (00:00 UTC)`;
}

function seconds(ms: number): string {
  return formatDuration(Math.ceil(ms / 1000) * 1000);
}
