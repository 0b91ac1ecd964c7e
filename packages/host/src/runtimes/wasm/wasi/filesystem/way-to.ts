import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

/**
 * Every directory and link on the way to an absolute path, the links' own ways included: who moves one of them makes the
 * path lead elsewhere. It ends early where there is nothing.
 */
export function wayTo(path: string): BigIntStats[] {
  const way: BigIntStats[] = [];
  const walked = new Set<string>();

  function walk(text: string): void {
    const { root } = parse(text);
    let place = root;
    for (const name of ['', ...text.slice(root.length).split(sep)]) {
      place = join(place, name);
      if (walked.has(place)) continue;
      walked.add(place);
      const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return;
      way.push(stats);
      if (stats.isSymbolicLink()) walk(resolve(dirname(place), readlinkSync(place)));
    }
  }

  walk(resolve(path));
  return way;
}
