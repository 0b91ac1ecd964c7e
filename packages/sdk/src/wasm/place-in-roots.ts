import { outsideRoots } from '../fs/files.ts';

/** Where a path lies: below which root, and how it is called there. */
export interface Place {
  readonly root: string;
  /** Relative to the root; `.` for the root itself. */
  readonly relative: string;
  readonly absolute: string;
}

/**
 * The root that a path lies in, by its text; relative paths start in the first. `spellings` are other paths of roots, each
 * with the root that it names. Links are the sandbox's to hold.
 * @throws FileError that names the path and the roots when it lies outside.
 */
export function placeInRoots(roots: readonly string[], path: string, spellings: Spellings = NONE): Place {
  const [first] = roots;
  if (first === undefined) throw outsideRoots(roots, path);
  const absolute = withRealRoot(normalize(path.startsWith('/') ? path : `${first}/${path}`), roots, spellings);
  const root = innermost(absolute, roots);
  if (root === undefined) throw outsideRoots(roots, path);
  const relative = absolute.slice(normalize(root).length).replace(/^\//, '');
  return { root, relative: relative === '' ? '.' : relative, absolute };
}

/** Other absolute paths of roots, through links, each with the root that it leads to. */
export type Spellings = ReadonlyMap<string, string>;
const NONE: Spellings = new Map();

/** The path by its root's own name. A spelling that lies in another root is the nearer name. */
function withRealRoot(path: string, roots: readonly string[], spellings: Spellings): string {
  if (spellings.size === 0) return path;
  const name = innermost(path, [...roots, ...spellings.keys()]) ?? path;
  const root = spellings.get(name);
  return root === undefined ? path : normalize(`${root}/${path.slice(name.length)}`);
}

/** The longest has the last word: a root may be read-only within another. */
function innermost(path: string, names: readonly string[]): string | undefined {
  return names.filter((name) => isBelow(path, normalize(name))).sort((a, b) => b.length - a.length)[0];
}

export function isBelow(path: string, root: string): boolean {
  return path === root || root === '/' || path.startsWith(`${root}/`);
}

function normalize(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}
