import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Abortable, createConcurrencyLimit } from './concurrency-limit.ts';
import { createLimits } from './limits.ts';
import { createRateLimiter } from './rate-limiter.ts';

const never: Abortable = { onAbort: () => () => {} };

/** A call that can be aborted, with the listeners it still has. */
function abortable() {
  const listeners = new Set<() => void>();
  return {
    listeners,
    abort() {
      for (const listener of [...listeners]) listener();
    },
    onAbort(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

describe('rate and quota', () => {
  test('refuses past callsPerMinute, says what to do, and lets in again when the window has slid', () => {
    let now = 1_000_000;
    const limits = createLimits({ weather: { callsPerMinute: 2 } }, { now: () => now });
    expect(limits.admit('weather', '').ok).toBe(true);
    now += 20_000;
    expect(limits.admit('weather', '').ok).toBe(true);
    now += 10_500;
    expect(limits.admit('weather', '')).toEqual({
      ok: false,
      text: 'rate limit exceeded for plugin weather: at most 2 calls a minute; wait 30s, then call again',
    });
    now += 29_500;
    expect(limits.admit('weather', '').ok).toBe(true);
    expect(limits.admit('weather', '').ok).toBe(false);
  });

  test('counts each tenant and plugin apart, and nothing where no limit is set', () => {
    const limits = createLimits({ a: { callsPerMinute: 1 }, b: { callsPerMinute: 1, callsPerDay: 0 } });
    expect(['x', 'y', 'x'].map((tenant) => limits.admit('a', tenant).ok)).toEqual([true, true, false]);
    expect(limits.admit('b', 'x').ok).toBe(true);
    for (let call = 0; call < 100; call++) expect(limits.admit('free', 'x').ok).toBe(true);
  });

  test('the daily quota is of UTC days, and a clock that is set back gives no second one', () => {
    let now = Date.UTC(2026, 10, 30, 23, 59, 50);
    const limits = createLimits({ mail: { callsPerDay: 1 } }, { now: () => now });
    expect(limits.admit('mail', 't').ok).toBe(true);
    expect(limits.admit('mail', 't')).toEqual({
      ok: false,
      text: expect.stringMatching(
        /^daily quota exceeded for plugin mail: at most 1 calls a day; .* in 10s \(00:00 UTC\)$/,
      ),
    });
    now += 10_000;
    expect(limits.admit('mail', 't').ok).toBe(true);
    now -= 20_000;
    expect(limits.admit('mail', 't').ok).toBe(false);
  });

  test('a clock that is set back does not lock a plugin out', () => {
    let now = 10_000_000;
    const limits = createLimits({ p: { callsPerMinute: 1 } }, { now: () => now });
    limits.admit('p', '');
    now = 1_000_000;
    expect(limits.admit('p', '').ok).toBe(true);
  });

  test('no window ever holds more than the limit, and a refused call fits after exactly the wait it was told', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(40), { maxLength: 300 }), (perWindow, gaps) => {
        const limiter = createRateLimiter(perWindow, 100);
        const admitted: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const inWindow = admitted.filter((at) => now - at < 100);
          const waitMs = limiter.admit(now);
          expect(waitMs === 0).toBe(inWindow.length < perWindow);
          if (waitMs === 0) admitted.push(now);
          else
            expect(admitted.filter((at) => now + waitMs - at < 100).length).toBe(
              inWindow.filter((at) => at !== inWindow[0]).length,
            );
        }
      }),
    );
  });

  test('making room for many tenants forgets no count that still matters', () => {
    const limits = createLimits({ p: { callsPerMinute: 1 } }, { now: () => 5 });
    const tenants = Array.from({ length: 3000 }, (_, index) => `t${index}`);
    expect(tenants.every((tenant) => limits.admit('p', tenant).ok)).toBe(true);
    expect(tenants.some((tenant) => limits.admit('p', tenant).ok)).toBe(false);
  });
});

describe('concurrency', () => {
  test('lets calls in up to the limit, then in the order of arrival', async () => {
    const limit = createConcurrencyLimit(1);
    expect(limit.acquire(never)).toBe(true);
    const order: string[] = [];
    const waits = ['a', 'b', 'c'].map(async (name) => {
      expect(await limit.acquire(never)).toBe(true);
      order.push(name);
      limit.release();
    });
    limit.release();
    await Promise.all(waits);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(limit.isIdle).toBe(true);
  });

  test('a call that is aborted while it waits leaves the queue, and takes no slot', async () => {
    const limit = createConcurrencyLimit(1);
    limit.acquire(never);
    const call = abortable();
    const waiting = limit.acquire(call);
    const next = limit.acquire(never);
    call.abort();
    expect(await waiting).toBe(false);
    limit.release();
    expect(await next).toBe(true);
    limit.release();
    expect(limit.isIdle).toBe(true);
  });

  test('a call that was let in no longer listens for its abort', async () => {
    const limit = createConcurrencyLimit(1);
    limit.acquire(never);
    const call = abortable();
    const waiting = limit.acquire(call);
    limit.release();
    expect(await waiting).toBe(true);
    expect(call.listeners.size).toBe(0);
  });

  test('holds for each tenant, and the plugin own bound for all of them', async () => {
    const limits = createLimits({ p: { concurrency: 1 } });
    const [a, b] = [
      limits.concurrencyOf('p', 'a', { maxConcurrentCalls: 2 }),
      limits.concurrencyOf('p', 'b', { maxConcurrentCalls: 2 }),
    ];
    const c = limits.concurrencyOf('p', 'c', { maxConcurrentCalls: 2 });
    expect([a?.acquire(never), b?.acquire(never)]).toEqual([true, true]);
    const call = abortable();
    const waiting = c?.acquire(call);
    call.abort();
    expect(await waiting).toBe(false);
    const again = c?.acquire(never);
    expect(again).toBeInstanceOf(Promise);
    a?.release();
    expect(await again).toBe(true);
    b?.release();
    c?.release();
    expect([a?.isIdle, b?.isIdle, c?.isIdle]).toEqual([true, true, true]);
  });

  test('of a tenant holds for tools with a limit of their own and for the others together', async () => {
    const limits = createLimits({ p: { concurrency: 2 } });
    const bounded = limits.concurrencyOf('p', 't', { maxConcurrentCalls: 1 });
    const other = limits.concurrencyOf('p', 't');
    expect([bounded?.acquire(never), other?.acquire(never)]).toEqual([true, true]);
    const waiting = other?.acquire(never);
    expect(waiting).toBeInstanceOf(Promise);
    bounded?.release();
    expect(await waiting).toBe(true);
  });

  test('a call waits for nothing where nothing is bounded', () => {
    const limits = createLimits({ p: { callsPerDay: 5 } });
    expect(limits.concurrencyOf('p', 't')).toBeUndefined();
    expect(limits.concurrencyOf('other', 't', { maxConcurrentCalls: Number.POSITIVE_INFINITY })).toBeUndefined();
    expect(limits.concurrencyOf('serial', 't', { maxConcurrentCalls: 1 })).toBe(
      limits.concurrencyOf('serial', 'u', { maxConcurrentCalls: 1 }),
    );
  });

  test('whatever is aborted and when, never more than the limit run, and all end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (max, aborts) => {
          const limit = createConcurrencyLimit(max);
          let running = 0;
          let most = 0;
          const calls = aborts.map(async (aborted) => {
            const call = abortable();
            const held = limit.acquire(call);
            if (aborted) call.abort();
            if (!(await held)) return;
            most = Math.max(most, ++running);
            await Promise.resolve();
            running -= 1;
            limit.release();
          });
          await Promise.all(calls);
          expect(most).toBeLessThanOrEqual(max);
          expect(limit.isIdle).toBe(true);
        },
      ),
    );
  });
});
