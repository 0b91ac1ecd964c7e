import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { connectHostLink } from '../host-link.ts';
import { type ServedLink, serveHostLink } from '../serve-host-link.ts';
import { CANCEL, CANCEL_HEARD, createCancelWatch } from './cancel-watch.ts';

let served: ServedLink | undefined;

afterEach(() => served?.close());

/** Both ends in this thread: what the host pushes is there at once. */
function createWatch() {
  const heard = new EventTarget();
  let count = 0;
  const handlers = {
    [CANCEL_HEARD]: () => {
      count += 1;
      heard.dispatchEvent(new Event('heard'));
    },
  };
  const link = serveHostLink({ handlers, currentCall: () => undefined });
  served = link;
  const watch = createCancelWatch(connectHostLink(link.workerEnd));
  return { watch, cancel: () => link.push(CANCEL, undefined), heard, count: () => count };
}

function timeOf(wait: () => boolean): { ended: boolean; ms: number } {
  const before = performance.now();
  const ended = wait();
  return { ended, ms: performance.now() - before };
}

test('a wait ends by time when nobody gives the call up', () => {
  const { watch } = createWatch();
  const { ended, ms } = timeOf(() => watch.wait(30));
  expect(ended).toBe(false);
  expect(ms).toBeGreaterThanOrEqual(29);
  expect(watch.isCancelled()).toBe(false);
});

test('a wait tells once that the call was given up; the next one waits', () => {
  const { watch, cancel } = createWatch();
  cancel();
  expect(timeOf(() => watch.wait(10_000))).toMatchObject({ ended: true });
  expect(watch.isCancelled()).toBe(true);
  const again = timeOf(() => watch.wait(30));
  expect(again.ended).toBe(false);
  expect(again.ms).toBeGreaterThanOrEqual(29);
});

test('the host learns that the guest has heard of it, once', async () => {
  const { watch, cancel, heard, count } = createWatch();
  cancel();
  const told = once(heard, 'heard');
  expect([watch.isCancelled(), watch.isCancelled(), watch.wait(0)]).toEqual([true, true, true]);
  await told;
  expect(count()).toBe(1);
});

test('a new call is not given up because the last one was', () => {
  const { watch, cancel } = createWatch();
  cancel();
  expect(watch.isCancelled()).toBe(true);
  watch.reset();
  expect(watch.isCancelled()).toBe(false);
});
