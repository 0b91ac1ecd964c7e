import { errorCodeOf, fail } from './error-code.ts';
import type { Guards } from './guards.ts';
import type { Held, Hold } from './held.ts';

/** A root that a guest was given. */
export interface Root {
  readonly directory: Directory;
  /** Its absolute path. A link inside the root that names this path, or another spelling of it, leads back into it. */
  readonly path: string;
  readonly spellings: readonly string[];
  readonly hold: Hold;
  readonly guards: Guards;
}

/** A directory inside a root, held. */
export interface Directory {
  readonly held: Held;
  /** Nothing in it may be changed: its root is read-only, or one that it was entered through. */
  readonly isReadOnly: boolean;
  readonly root: Root;
}

/** Holds on to an entry; undefined when there is none. `name` is one component, or `.` for the directory itself. */
export function holdEntry({ held, root }: Directory, name: string): Held | undefined {
  try {
    return root.hold(held.entry(name));
  } catch (error) {
    if (errorCodeOf(error) === 'no-entry') return undefined;
    throw error;
  }
}

/** The directory `name` in `parent`, which the caller closes; undefined when it is a link. */
export function enterDirectory(parent: Directory, name: string): Directory | undefined {
  const held = holdEntry(parent, name) ?? fail('no-entry');
  try {
    const entered = held.stats.isSymbolicLink() ? undefined : asDirectory(parent, held);
    if (entered === undefined) held.close();
    return entered;
  } catch (error) {
    held.close();
    throw error;
  }
}

/** What was found in `parent`, as a directory. @throws not-directory; access when it is guarded */
export function asDirectory(parent: Directory, held: Held): Directory {
  const { root } = parent;
  if (!held.stats.isDirectory()) fail('not-directory');
  root.guards.admit(held);
  return { held, root, isReadOnly: parent.isReadOnly || root.guards.isReadOnly(held.stats) };
}
