import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../../processes/process-identity.ts';
import { type Guest, loadGuest } from './fixtures/load-guest.ts';

/** How often in a row each end is brought about; 100 shows that nothing adds up. */
const ROUNDS = Number(process.env.TOOLPOST_STRESS_ROUNDS ?? 3);
const MAX_END_MS = 250;
const MAX_GROWTH_MB = 64;
const LIMIT = { timeout: 30_000 + ROUNDS * 3000 };

let guest: Guest;

beforeAll(async () => {
  guest = await loadGuest({ grants: { spawn: true, memoryMb: 64 } });
});

afterAll(() => guest.plugin.close());

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 20_000, interval: 1 }).toBe(true);
}

/** Threads of this process; only Linux tells. */
function threads(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0;
}

/** Runs it once, so that what is made once is there, then `ROUNDS` times, and compares. */
async function leavesNothing(round: () => Promise<void>): Promise<void> {
  await round();
  const before = { threads: threads(), bytes: process.memoryUsage().rss };
  for (let count = 0; count < ROUNDS; count++) await round();
  await until(() => threads() <= before.threads);
  expect((process.memoryUsage().rss - before.bytes) / 1e6).toBeLessThan(MAX_GROWTH_MB);
}

/** Gives a running call up, as a deadline does, and says how long its end takes. */
async function endOf({ context, ended }: ReturnType<Guest['start']>): Promise<number> {
  const startedAt = performance.now();
  context.abort('timed-out');
  await ended.catch(() => undefined);
  return performance.now() - startedAt;
}

test('an endless loop ends soon after its deadline and leaves no thread and no memory', LIMIT, async () => {
  let round = 0;
  await leavesNothing(async () => {
    const startedFile = join(guest.root, `started-${++round}`);
    const call = guest.start({ op: 'never', startedFile });
    await until(() => existsSync(startedFile));
    expect(await endOf(call)).toBeLessThan(MAX_END_MS);
  });
});

test('a blocked spawn ends soon after its deadline and leaves no process', LIMIT, async () => {
  let round = 0;
  await leavesNothing(async () => {
    const file = join(guest.root, `pid-${++round}`);
    const call = guest.start({
      op: 'spawn',
      command: `sleep 1000 & echo $! > ${file}.part; mv ${file}.part ${file}; wait`,
    });
    await until(() => existsSync(file));
    const pid = Number(readFileSync(file, 'utf8'));
    expect(await endOf(call)).toBeLessThan(MAX_END_MS);
    await until(() => !isAlive(pid));
  });
});

test('an allocation of 4 GiB ends at the cap, and its memory is given back', LIMIT, async () => {
  await leavesNothing(async () => {
    const error: unknown = await guest.call({ op: 'exhaust' }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('its memory was at the cap of 64 MiB');
  });
});
