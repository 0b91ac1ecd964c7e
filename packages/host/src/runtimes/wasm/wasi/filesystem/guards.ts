import { type BigIntStats, statSync } from 'node:fs';
import { createKernelCheck } from '../../../../builtin/kernel-file-systems.ts';
import { fail } from './error-code.ts';
import type { Held } from './held.ts';
import { wayTo } from './way-to.ts';

/** What holds inside every root, by identity: no rename, link or mount makes another object of it. */
export interface Guards {
  /** Fails with `access` for what no guest may enter or open: a hidden directory, a kernel file system. */
  admit(held: Held): void;
  /** Whether a directory is a root that is read-only, wherever it was reached from. */
  isReadOnly(stats: BigIntStats): boolean;
  /**
   * Fails with `busy` for what this guards, and for each directory and link on the way to it: they keep their names and
   * places. Otherwise a guest could put a home of its own, with rights of its own, where the host looks for its own.
   */
  assertMovable(stats: BigIntStats): void;
}

export interface GuardedPaths {
  /** Directories that stay out of reach also within a root, as the host names them: Toolpost's home. */
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
}

export function createGuards({ hidden, readOnly }: GuardedPaths): Guards {
  const hiddenIds = identitiesOf(hidden);
  const readOnlyIds = identitiesOf(readOnly);
  const immovableIds = new Set([...hidden, ...readOnly].flatMap(wayTo).map(identityOf));
  const isKernels = createKernelCheck();

  return {
    admit(held) {
      if (hiddenIds.has(identityOf(held.stats)) || isKernels(held.self(), held.stats.dev)) fail('access');
    },
    isReadOnly: (stats) => readOnlyIds.has(identityOf(stats)),
    assertMovable(stats) {
      if (immovableIds.has(identityOf(stats))) fail('busy');
    },
  };
}

function identitiesOf(paths: readonly string[]): ReadonlySet<string> {
  const found = paths.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return new Set(found.flatMap((stats) => (stats === undefined ? [] : [identityOf(stats)])));
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}
