import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { LinkRefusal } from './host-link.ts';
import { type LinkHandler, type ServedLink, serveHostLink } from './serve-host-link.ts';

const WORKER = new URL('./fixtures/link-worker.ts', import.meta.url);
const opened: { worker: Worker; link: ServedLink }[] = [];

afterEach(async () => {
  for (const { worker, link } of opened.splice(0)) {
    link.close();
    await worker.terminate();
  }
});

/** A worker that does one thing with its link and tells what came of it. */
function startWorker(act: string, handlers: Record<string, LinkHandler<string>>) {
  const link = serveHostLink<string>({ handlers, currentCall: () => 'call-1' });
  const { workerEnd } = link;
  const worker = new Worker(WORKER, { workerData: { act, workerEnd }, transferList: [workerEnd.port] });
  opened.push({ worker, link });
  const outcome = new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { link, worker, outcome };
}

test('blocks the worker until the host has answered', async () => {
  const seen: unknown[] = [];
  const { outcome } = startWorker('request', {
    double: async (payload, call) => {
      seen.push(payload, call);
      await new Promise((resolve) => setImmediate(resolve));
      return Number(payload) * 2;
    },
  });
  expect(await outcome).toBe(42);
  expect(seen).toEqual([21, 'call-1']);
});

test("throws the handler's refusal in the worker, with its payload", async () => {
  const { outcome } = startWorker('request', {
    double: () => {
      throw new LinkRefusal('not today', { code: 'denied' });
    },
  });
  expect(await outcome).toEqual({ refused: 'not today', payload: { code: 'denied' } });
});

test('refuses an answer that cannot be cloned, and a kind that nobody serves', async () => {
  const unclonable = startWorker('request', { double: () => () => 1 });
  expect(await unclonable.outcome).toMatchObject({ refused: expect.stringContaining('could not be cloned') });
  const late = startWorker('request', { double: async () => () => 1 });
  expect(await late.outcome).toMatchObject({ refused: expect.stringContaining('could not be cloned') });
  const unserved = startWorker('request', {});
  expect(await unserved.outcome).toMatchObject({ refused: 'the host has nothing that answers double' });
});

test('keeps posts and requests in order', async () => {
  const seen: unknown[] = [];
  const { outcome } = startWorker('posts-then-request', {
    note: (payload) => void seen.push(payload),
    double: (payload) => {
      seen.push(payload);
      return 'done';
    },
  });
  expect(await outcome).toBe('done');
  expect(seen).toEqual([...Array(100).keys(), 21]);
});

test('delivers what the host pushes while the worker waits, in order and before the answer', async () => {
  const { outcome, link } = startWorker('collect-pushes', {
    double: async () => {
      for (let number = 0; number < 50; number++) link.push('news', number);
      return 'end';
    },
  });
  expect(await outcome).toEqual({ news: [...Array(50).keys()], value: 'end' });
});

test('a push ends the wait of a worker that watches the counter', async () => {
  const { outcome, link } = startWorker('wait-for-push', { waiting: () => link.push('news', 'arrived') });
  expect(await outcome).toEqual(['arrived']);
});

test('a worker that waits for pushes gets one at a time', async () => {
  const { outcome, link } = startWorker('wait-for-pushes', {
    waiting: () => {
      for (const name of ['a', 'b', 'c']) link.push('news', name);
    },
  });
  expect(await outcome).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
});

test('a worker that waits for an answer can be terminated', async () => {
  const asked = Promise.withResolvers<void>();
  const { worker } = startWorker('request', {
    double: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  await asked.promise;
  expect(await worker.terminate()).toBe(1);
});
