import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefreshPacer } from './refresh-pacer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** How often it refreshes while it is noticed every millisecond of so many seconds. */
async function refreshesDuring(seconds: number): Promise<number> {
  let count = 0;
  const pacer = createRefreshPacer(async () => {
    count += 1;
  });
  for (let ms = 0; ms < seconds * 1000; ms++) {
    pacer.notice();
    await vi.advanceTimersByTimeAsync(1);
  }
  pacer.stop();
  return count;
}

test('a burst is one refresh', async () => {
  expect(await refreshesDuring(0.2)).toBe(1);
});

test('a flood is fewer and fewer of them', async () => {
  expect(await refreshesDuring(20)).toBeLessThan(9);
});

test('the last notice is followed by a refresh, also one that comes while another runs', async () => {
  const ends: (() => void)[] = [];
  const pacer = createRefreshPacer(() => new Promise((resolve) => ends.push(resolve)));
  pacer.notice();
  await vi.advanceTimersByTimeAsync(200);
  expect(ends).toHaveLength(1);
  pacer.notice();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(2);
});

test('changes that come one by one are seen soon', async () => {
  const at: number[] = [];
  const pacer = createRefreshPacer(async () => void at.push(Date.now()));
  const start = Date.now();
  for (let round = 0; round < 5; round++) {
    pacer.notice();
    await vi.advanceTimersByTimeAsync(2000);
  }
  expect(at.map((time) => time - start)).toEqual([150, 2150, 4150, 6150, 8150]);
});

test('nothing is refreshed any more once it was stopped', async () => {
  const refresh = vi.fn(async () => undefined);
  const pacer = createRefreshPacer(refresh);
  pacer.notice();
  pacer.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).not.toHaveBeenCalled();
});
