import { expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';

it('restarts at once after the first failure, then with growing delays up to a limit', () => {
  const backoff = createBackoff({ baseMs: 250, maxMs: 1000, now: () => 0 });
  const delays = Array.from({ length: 6 }, () => {
    backoff.failed();
    return backoff.delayMs();
  });
  expect(delays).toEqual([0, 250, 500, 1000, 1000, 1000]);
});

it('counts the time that has passed since the failure', () => {
  let now = 0;
  const backoff = createBackoff({ baseMs: 250, now: () => now });
  backoff.failed();
  backoff.failed();
  now = 200;
  expect(backoff.delayMs()).toBe(50);
  now = 300;
  expect(backoff.delayMs()).toBe(0);
});

it('forgives after a healthy while', () => {
  let now = 0;
  const backoff = createBackoff({ healthyMs: 1000, now: () => now });
  for (let count = 0; count < 5; count++) backoff.failed();
  backoff.started();
  now = 1000;
  backoff.failed();
  expect(backoff.delayMs()).toBe(0);
});

it('stops waiting when it is aborted', async () => {
  const backoff = createBackoff({ baseMs: 60_000, maxMs: 60_000 });
  backoff.failed();
  backoff.failed();
  const controller = new AbortController();
  const waiting = backoff.wait(controller.signal);
  controller.abort(new Error('closing'));
  await expect(waiting).rejects.toThrow('closing');
  await expect(backoff.wait(controller.signal)).rejects.toThrow('closing');
});
