import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';

it('sleeps, and wakes at once when it is aborted, before or while it sleeps', async () => {
  await systemClock.sleep(1, new AbortController().signal);
  await systemClock.sleep(3_600_000, AbortSignal.abort());
  const abort = new AbortController();
  const asleep = systemClock.sleep(3_600_000, abort.signal);
  abort.abort();
  await expect(asleep).resolves.toBeUndefined();
});
