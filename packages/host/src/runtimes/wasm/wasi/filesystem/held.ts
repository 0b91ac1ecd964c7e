import type { BigIntStats } from 'node:fs';

/**
 * A file, directory or link that is held on to. Whatever happens to its name, `held` stays the very object that was
 * found; where a platform cannot give that, it is compared before and after (hold-by-path.ts).
 */
export interface Held {
  /** As it was when it was found. */
  readonly stats: BigIntStats;
  /** A path of the object itself, for a call of node:fs that follows links. @throws bad-descriptor when it was closed */
  self(): string;
  /** A path of an entry of this directory, for a call of node:fs that does not follow it if it is a link. */
  entry(name: string): string;
  stat(): BigIntStats;
  /** Opens it with `flags` of open(2): a descriptor that the caller closes. */
  open(flags: number): number;
  /** Fails with `not-permitted` when the object is no longer where it was found, where that matters. */
  verify(): void;
  close(): void;
}

/** Holds on to what is at `path`, without following it if it is a link, and without any effect on it. */
export type Hold = (path: string) => Held;

export function isSameObject(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
