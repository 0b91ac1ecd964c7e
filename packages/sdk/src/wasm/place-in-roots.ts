import { outsideRoots } from '../fs/files.ts';

/** Where a path lies: below which root, and how it is called there. */
export interface Place {
  readonly root: string;
  /** Relative to the root; `.` for the root itself. */
  readonly relative: string;
  readonly absolute: string;
}

/**
 * The root that a path lies in, by its text; relative paths start in the first. Links are the sandbox's to hold.
 * @throws FileError that names the path and the roots when it lies outside.
 */
export function placeInRoots(roots: readonly string[], path: string): Place {
  const [first] = roots;
  if (first === undefined) throw outsideRoots(roots, path);
  const absolute = normalize(path.startsWith('/') ? path : `${first}/${path}`);
  // The innermost root has the last word, since it may be read-only within another.
  const root = roots
    .filter((candidate) => isBelow(absolute, normalize(candidate)))
    .sort((a, b) => b.length - a.length)[0];
  if (root === undefined) throw outsideRoots(roots, path);
  const relative = absolute.slice(normalize(root).length).replace(/^\//, '');
  return { root, relative: relative === '' ? '.' : relative, absolute };
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
