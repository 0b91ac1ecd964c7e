import { describe, expect, test } from 'vitest';
import { Deadline, type DeadlineLimits } from './deadline.ts';

/** A running deadline, and a promise for the limit that it says has passed and after how many ms. */
function running(limits: DeadlineLimits) {
  const expired = Promise.withResolvers<{ limitMs: number; afterMs: number }>();
  const startedMs = performance.now();
  const deadline = new Deadline(limits, {
    expire: (limitMs) => expired.resolve({ limitMs, afterMs: performance.now() - startedMs }),
  });
  deadline.start(startedMs);
  return { deadline, expired: expired.promise };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('Deadline', () => {
  test('passes once its limit is over, not before', async () => {
    const { limitMs, afterMs } = await running({ idleMs: 60 }).expired;
    expect(limitMs).toBe(60);
    expect(afterMs).toBeGreaterThanOrEqual(59);
  });

  test('signs of life renew it where there is a longer maximum, up to that', async () => {
    const { deadline, expired } = running({ idleMs: 80, maxMs: 300 });
    const sign = setInterval(() => deadline.renew(), 20);
    const { limitMs, afterMs } = await expired;
    clearInterval(sign);
    expect(limitMs).toBe(300);
    expect(afterMs).toBeGreaterThanOrEqual(299);
  });

  test('silence ends it before the maximum', async () => {
    const { limitMs, afterMs } = await running({ idleMs: 50, maxMs: 10_000 }).expired;
    expect(limitMs).toBe(50);
    expect(afterMs).toBeLessThan(5000);
  });

  test('without a maximum nothing renews it', async () => {
    const { deadline, expired } = running({ idleMs: 80 });
    const sign = setInterval(() => deadline.renew(), 10);
    expect((await expired).limitMs).toBe(80);
    clearInterval(sign);
  });

  test('time in a pause does not count, also when two pauses overlap or it began paused', async () => {
    const { deadline, expired } = running({ idleMs: 60 });
    deadline.pause();
    deadline.pause();
    await after(100);
    deadline.resume();
    await after(100);
    deadline.resume();
    expect((await expired).afterMs).toBeGreaterThanOrEqual(258);
  });

  test('a pause before the start counts from the start, and the deadline still passes', async () => {
    const startedMs = performance.now();
    const expired = Promise.withResolvers<number>();
    const deadline = new Deadline({ idleMs: 60 }, { expire: () => expired.resolve(performance.now() - startedMs) });
    deadline.pause();
    deadline.start(startedMs);
    await after(100);
    deadline.resume();
    const afterMs = await expired.promise;
    expect(afterMs).toBeGreaterThanOrEqual(158);
    expect(afterMs).toBeLessThan(5000);
  });

  test('once stopped it never passes, whatever comes later', async () => {
    let hasExpired = false;
    const deadline = new Deadline({ idleMs: 20 }, { expire: () => (hasExpired = true) });
    deadline.start(performance.now());
    deadline.pause();
    deadline.stop();
    deadline.resume();
    await running({ idleMs: 80 }).expired;
    expect(hasExpired).toBe(false);
  });
});
