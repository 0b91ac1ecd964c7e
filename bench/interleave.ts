import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from './statistics.ts';

export type Role = 'floor' | 'toolpost' | 'peer' | 'beside';

/** One way of doing the same work. */
export interface Variant {
  readonly name: string;
  /** `beside`: reported, and no part of a comparison. */
  readonly role: Role;
  /**
   * Does the work `count` times, one after the other. Returns the milliseconds that count when that is not all of
   * the time it took.
   */
  run(count: number): Promise<number | undefined>;
}

export interface Plan {
  readonly rounds: number;
  /** How long one variant works in one round. 0: it does the work once. */
  readonly turnMs: number;
  readonly warmUpMs: number;
  /** Times each piece of work by itself, for its quantiles; else a turn is timed as a whole, as work of 1 us must be. */
  readonly isEachTimed?: boolean;
}

/** Times in ms. */
export interface Measured {
  readonly name: string;
  readonly role: Role;
  readonly median: number;
  readonly p90: number;
  readonly samples: number;
  /** One for each round, so that variants can be compared within it. */
  readonly rounds: readonly number[];
}

/** Longer than the journal waits before it writes: what a variant leaves behind falls on nobody else's turn. */
const SETTLE_MS = 70;

/**
 * Measures variants in turns, in one process: every round has each of them once, in another order. Garbage is never
 * collected by force, which would also throw away compiled code: turns are long enough to pay for their own.
 */
export async function measureInterleaved(variants: readonly Variant[], plan: Plan): Promise<Measured[]> {
  const turns: Turn[] = [];
  for (const variant of variants) turns.push({ variant, count: await warmUp(variant, plan), samples: [], rounds: [] });
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const turn of rotated(turns, round)) {
      await sleep(SETTLE_MS);
      await leadIn(turn);
      const samples = await take(turn, plan);
      turn.samples.push(...samples);
      turn.rounds.push(median(samples));
    }
  }
  return turns.map(({ variant: { name, role }, samples, rounds }) => {
    return { name, role, median: median(samples), p90: quantile(samples, 0.9), samples: samples.length, rounds };
  });
}

interface Turn {
  readonly variant: Variant;
  readonly count: number;
  readonly samples: number[];
  readonly rounds: number[];
}

/** Until the compiler has seen enough of it. Returns how often the work fits into one turn. */
async function warmUp(variant: Variant, { warmUpMs, turnMs }: Plan): Promise<number> {
  if (turnMs === 0) return 1;
  // What is started when it is first used is no part of a call.
  await variant.run(1);
  const startedAt = performance.now();
  let count = 1;
  let perCallMs = 0;
  do {
    perCallMs = (await timed(variant, count)) / count;
    count = Math.max(1, Math.min(count * 2, Math.round(turnMs / perCallMs)));
  } while (performance.now() - startedAt < warmUpMs);
  return count;
}

async function take({ variant, count }: Turn, { isEachTimed = false }: Plan): Promise<number[]> {
  if (!isEachTimed) return [(await timed(variant, count)) / count];
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) samples.push(await timed(variant, 1));
  return samples;
}

async function timed(variant: Variant, count: number): Promise<number> {
  const startedAt = performance.now();
  const countedMs = await variant.run(count);
  return countedMs ?? performance.now() - startedAt;
}

/** The variant before has filled the processor's caches; a tenth of a turn is not timed. */
async function leadIn({ variant, count }: Turn): Promise<void> {
  if (count >= 10) await variant.run(Math.round(count / 10));
}

/** Each variant comes after each other one in turn. */
function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  const order = [...items.slice(start), ...items.slice(0, start)];
  return by % 2 === 0 ? order : order.reverse();
}
