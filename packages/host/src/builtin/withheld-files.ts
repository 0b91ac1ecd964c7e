import { homedir } from 'node:os';
import picomatch from 'picomatch';
import { locatePath, pathStyleOf, type RootNames } from '../permissions/call-paths.ts';
import { compilePathPattern } from '../permissions/path-pattern.ts';
import type { WithheldPattern } from '../permissions/withheld-patterns.ts';
import { realPlace } from './confine-path.ts';

/** Files that a search of a folder around them leaves out, as a rule denies them or asks about them. Plain data. */
export interface WithheldFiles {
  readonly patterns: readonly string[];
  /** The real paths of the roots, and all other spellings, as rules are written in any of them. */
  readonly names: RootNames;
}

/**
 * What a search from `base` leaves out. A rule of the search tool itself that meets `base` is not among it: it was
 * decided, or the user asked, before the search began.
 */
export async function withheldFrom(
  base: string,
  { roots, rootSpellings = [] }: RootNames,
  rules: readonly WithheldPattern[] = [],
): Promise<WithheldFiles | undefined> {
  if (rules.length === 0) return undefined;
  const given = await Promise.all(roots.map(async (spelling) => ({ root: await realPlace(spelling), spelling })));
  const names = {
    roots: given.map(({ root }) => root),
    rootSpellings: [...rootSpellings, ...given.filter(({ root, spelling }) => root !== spelling)],
  };
  const isOpen = ({ pattern, isOwn }: WithheldPattern) => !isOwn || !createCheck([pattern], names)(base);
  return { patterns: rules.filter(isOpen).map(({ pattern }) => pattern), names };
}

/** Whether a file, named by its real path, is left out. */
export function createWithheldCheck(withheld: WithheldFiles | undefined): (path: string) => boolean {
  return withheld && withheld.patterns.length > 0 ? createCheck(withheld.patterns, withheld.names) : () => false;
}

function createCheck(patterns: readonly string[], names: RootNames): (path: string) => boolean {
  const style = pathStyleOf(process.platform);
  const compiled = patterns.map((pattern) => compilePathPattern(pattern, { picomatch, style, homeDir: homedir() }));
  return (path) => {
    const place = locatePath(path, names, style);
    return compiled.some(({ touches }) => touches(place));
  };
}
