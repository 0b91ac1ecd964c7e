import type { BigIntStats } from 'node:fs';
import { fail } from './error-code.ts';

const NS_PER_SECOND = 1_000_000_000n;

export interface Datetime {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

export type NewTimestamp =
  | { readonly tag: 'no-change' }
  | { readonly tag: 'now' }
  | { readonly tag: 'timestamp'; readonly val: Datetime };

/** What `set-times` and `set-times-at` take. */
export interface NewTimes {
  readonly access: NewTimestamp;
  readonly modification: NewTimestamp;
}

/** Seconds since 1970, as node:fs takes them: the precision is that of a double, some 100 ns. */
export interface Times {
  readonly access: number;
  readonly modification: number;
}

/** `current` gives what stays as it is. @throws invalid for nanoseconds that are a second or more */
export function newTimes({ access, modification }: NewTimes, current: BigIntStats): Times {
  return { access: secondsOf(access, current.atimeNs), modification: secondsOf(modification, current.mtimeNs) };
}

function secondsOf(time: NewTimestamp, currentNs: bigint): number {
  if (time.tag === 'no-change') return Number(currentNs) / 1e9;
  if (time.tag === 'now') return Date.now() / 1000;
  if (time.val.nanoseconds >= 1e9) fail('invalid');
  return Number(time.val.seconds) + time.val.nanoseconds / 1e9;
}

/** Before 1970 is 1970: WASI's datetime has no sign. */
export function datetimeOf(ns: bigint): Datetime {
  const positive = ns < 0n ? 0n : ns;
  return { seconds: positive / NS_PER_SECOND, nanoseconds: Number(positive % NS_PER_SECOND) };
}
