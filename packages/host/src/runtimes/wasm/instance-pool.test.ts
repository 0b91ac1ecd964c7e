import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInstancePool, type InstancePoolOptions } from './instance-pool.ts';

/** An instance that does nothing but live. */
class Life {
  readonly key: string;
  isAlive = true;
  constructor(key: string) {
    this.key = key;
  }
  async kill(): Promise<void> {
    this.isAlive = false;
  }
}

const started: Life[] = [];
const never = () => () => {};

beforeEach(() => {
  started.length = 0;
  vi.useFakeTimers();
});

afterEach(() => vi.useRealTimers());

function createPool(options: Partial<InstancePoolOptions<Life>> = {}) {
  return createInstancePool<Life>({
    async start({ key }) {
      const life = new Life(key);
      started.push(life);
      return life;
    },
    maxInstances: 2,
    maxIdleMs: 60_000,
    isFreshEachTime: false,
    ...options,
  });
}

const claim = (key: string) => ({ key, roots: [] });
const alive = () => started.filter((life) => life.isAlive).map(({ key }) => key);

test('gives an idle instance at once, and a busy one to nobody', async () => {
  const pool = createPool();
  expect(pool.take(claim('a'))).toBeUndefined();
  const first = await pool.wait(claim('a'), never);
  expect(pool.take(claim('a'))).toBeUndefined();
  first.release();
  expect(pool.take(claim('a'))?.instance).toBe(first.instance);
});

test('retires the idle one that was used longest ago to make room', async () => {
  const pool = createPool();
  const a = await pool.wait(claim('a'), never);
  const b = await pool.wait(claim('b'), never);
  b.release();
  a.release();
  await pool.wait(claim('c'), never);
  expect(alive()).toEqual(['a', 'c']);
});

test('never retires a busy one: who comes waits, in order, for the next that is released', async () => {
  const pool = createPool();
  const a = await pool.wait(claim('a'), never);
  await pool.wait(claim('b'), never);
  const order: string[] = [];
  const waits = ['c', 'd'].map((key) =>
    pool.wait(claim(key), never).then((place) => {
      order.push(key);
      place.release();
    }),
  );
  await vi.advanceTimersByTimeAsync(10);
  expect(alive()).toEqual(['a', 'b']);
  a.release();
  await Promise.all(waits);
  expect(order).toEqual(['c', 'd']);
  expect(alive()).toEqual(['b', 'd']);
});

test('one who gives up while waiting leaves the queue', async () => {
  const pool = createPool({ maxInstances: 1 });
  const a = await pool.wait(claim('a'), never);
  let giveUp = () => {};
  const given = pool.wait(claim('b'), (listener) => {
    giveUp = listener;
    return () => {};
  });
  giveUp();
  await expect(given).rejects.toThrow('given up before its turn');
  a.release();
  expect((await pool.wait(claim('c'), never)).instance.key).toBe('c');
  expect(started.map(({ key }) => key)).toEqual(['a', 'c']);
});

test('what was started for one who gave up serves the next', async () => {
  const start = Promise.withResolvers<Life>();
  const pool = createPool({ start: () => start.promise });
  let giveUp = () => {};
  const given = pool.wait(claim('a'), (listener) => {
    giveUp = listener;
    return () => {};
  });
  const next = pool.wait(claim('a'), never);
  giveUp();
  await expect(given).rejects.toThrow('given up');
  const life = new Life('a');
  start.resolve(life);
  expect((await next).instance).toBe(life);
});

test('a failed start is told to the one that it was for, and the next tries again', async () => {
  let starts = 0;
  const pool = createPool({
    async start({ key }) {
      if (++starts === 1) throw new Error('torn');
      return new Life(key);
    },
  });
  const [first, second] = await Promise.allSettled([pool.wait(claim('a'), never), pool.wait(claim('a'), never)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'torn' } });
  expect(second.status).toBe('fulfilled');
});

test('one that died is replaced', async () => {
  const pool = createPool();
  const a = await pool.wait(claim('a'), never);
  a.instance.isAlive = false;
  a.release();
  const next = await pool.wait(claim('a'), never);
  expect(next.instance).not.toBe(a.instance);
  next.release();
  next.instance.isAlive = false;
  expect(pool.take(claim('a'))).toBeUndefined();
});

test('one that is idle for long is ended', async () => {
  const pool = createPool({ maxIdleMs: 1000 });
  (await pool.wait(claim('a'), never)).release();
  await vi.advanceTimersByTimeAsync(999);
  expect(alive()).toEqual(['a']);
  pool.take(claim('a'))?.release();
  await vi.advanceTimersByTimeAsync(999);
  expect(alive()).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(alive()).toEqual([]);
});

test('fresh each time: no instance is used twice, and the bound holds', async () => {
  const pool = createPool({ isFreshEachTime: true });
  const run = async () => (await pool.wait(claim('a'), never)).release();
  await Promise.all([run(), run(), run(), run(), run()]);
  expect(started).toHaveLength(5);
  expect(alive()).toEqual([]);
});

test('closing ends all, those that start too, and whoever waits hears of it', async () => {
  const start = Promise.withResolvers<Life>();
  const pool = createPool({ maxInstances: 1, start: () => start.promise });
  const starting = pool.wait(claim('a'), never);
  const waiting = pool.wait(claim('b'), never);
  const life = new Life('a');
  const closed = pool.close();
  start.resolve(life);
  await expect(Promise.all([starting])).rejects.toThrow('closed');
  await expect(waiting).rejects.toThrow('closed');
  await closed;
  expect(life.isAlive).toBe(false);
  await expect(pool.wait(claim('c'), never)).rejects.toThrow('closed');
});

test('whatever happens in whatever order, no place is lost', async () => {
  const pool = createPool({ maxInstances: 3 });
  let busy = 0;
  let most = 0;
  const use = async (key: string, ms: number) => {
    const place = await pool.wait(claim(key), never);
    most = Math.max(most, ++busy);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (ms % 3 === 0) await place.instance.kill();
    busy--;
    place.release();
  };
  const uses = Array.from({ length: 60 }, (_, index) => use(`k${index % 7}`, (index * 13) % 17));
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(uses);
  expect(busy).toBe(0);
  expect(most).toBeLessThanOrEqual(3);
  expect(alive().length).toBeLessThanOrEqual(3);
});
