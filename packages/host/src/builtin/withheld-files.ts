import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import type { Session } from '@toolpost/protocol';
import picomatch from 'picomatch';
import { locatePath, pathStyleOf } from '../permissions/call-paths.ts';
import { compilePathPattern } from '../permissions/path-pattern.ts';
import type { WithheldPattern } from '../permissions/withheld-patterns.ts';
import { isInside, realPlace } from './confine-path.ts';

/** Files that a search of a folder around them leaves out, as a rule denies them or asks about them. Plain data. */
export interface WithheldFiles {
  readonly patterns: readonly string[];
  /** Each root as the session grants it, in whose spelling rules are written, and its real path. */
  readonly roots: readonly { readonly given: string; readonly real: string }[];
}

/**
 * What a search from `base` leaves out. A rule of the search tool itself that meets `base` is not among it: it was
 * decided, or the user asked, before the search began.
 */
export async function withheldFrom(
  base: string,
  { roots }: Pick<Session, 'roots'>,
  rules: readonly WithheldPattern[] = [],
): Promise<WithheldFiles | undefined> {
  if (rules.length === 0) return undefined;
  const places = await Promise.all(roots.map(async (given) => ({ given, real: await realPlace(given) })));
  const isOpen = ({ pattern, isOwn }: WithheldPattern) => !isOwn || !createCheck([pattern], places)(base);
  return { patterns: rules.filter(isOpen).map(({ pattern }) => pattern), roots: places };
}

/** Whether a file, named by its real path, is left out. */
export function createWithheldCheck(withheld: WithheldFiles | undefined): (path: string) => boolean {
  return withheld && withheld.patterns.length > 0 ? createCheck(withheld.patterns, withheld.roots) : () => false;
}

function createCheck(patterns: readonly string[], roots: WithheldFiles['roots']): (path: string) => boolean {
  const style = pathStyleOf(process.platform);
  const compiled = patterns.map((pattern) => compilePathPattern(pattern, { picomatch, style, homeDir: homedir() }));
  const realRoots = roots.map(({ real }) => real);
  const givenRoots = roots.map(({ given }) => given);
  return (path) => {
    const spellings = [locatePath(path, realRoots, style)];
    for (const { given, real } of roots) {
      if (given === real || !isInside(real, path)) continue;
      spellings.push(locatePath(join(given, relative(real, path)), givenRoots, style));
    }
    return spellings.some((spelling) => compiled.some(({ touches }) => touches(spelling)));
  };
}
