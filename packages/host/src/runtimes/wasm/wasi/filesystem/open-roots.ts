import { accessSync, constants, existsSync, readlinkSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Root } from './directory.ts';
import { errnoOf } from './error-code.ts';
import { createGuards } from './guards.ts';
import type { Held, Hold } from './held.ts';
import { holdByDescriptor } from './hold-by-descriptor.ts';
import { holdByPath } from './hold-by-path.ts';

/** A directory that a session grants, as a real path. */
export interface RootGrant {
  readonly path: string;
  /** Other absolute paths by which the user calls it: names alone, which are never looked up. */
  readonly spellings?: readonly string[];
  readonly isReadOnly: boolean;
}

export interface OpenRootsOptions {
  /** Directories that stay out of reach also where a root contains them, as the host names them. */
  readonly hidden?: readonly string[];
  /** How objects are held; by default the best that the platform has. */
  readonly hold?: Hold;
}

export interface OpenRoots {
  readonly roots: readonly Root[];
  /** One sentence for each root that cannot be opened; the others are. */
  readonly problems: readonly string[];
}

/** Opens each root once: whatever happens to its path later, the guest has this directory. */
export function openRoots(grants: readonly RootGrant[], { hidden = [], hold }: OpenRootsOptions): OpenRoots {
  const hiddenPlaces = hidden.filter((place) => existsSync(place)).map((place) => realpathSync(place));
  const guards = createGuards({ hidden, readOnly: grants.flatMap((grant) => (grant.isReadOnly ? [grant.path] : [])) });
  const platformHold = hold ?? (process.platform === 'linux' ? holdByDescriptor : holdByPath);
  const roots: Root[] = [];
  const problems: string[] = [];

  for (const grant of grants) {
    const held = tryHold(grant.path);
    if (typeof held === 'string') problems.push(`the root ${grant.path} ${held}`);
    else roots.push(createRoot(grant, held));
  }
  return { roots, problems };

  function createRoot({ path, spellings = [], ...grant }: RootGrant, held: Held): Root {
    const isReadOnly = grant.isReadOnly || guards.isReadOnly(held.stats);
    const root: Root = {
      path,
      spellings,
      guards,
      hold: platformHold,
      get directory() {
        return { held, isReadOnly, root };
      },
    };
    return root;
  }

  /** The root, or why it is none. */
  function tryHold(path: string): Held | string {
    if (hiddenPlaces.some((place) => path === place || path.startsWith(place + sep)))
      return 'is inside a directory that no tool may touch';
    if (platformHold === holdByDescriptor && !existsSync('/proc/self/fd'))
      return 'cannot be opened safely: /proc is not mounted';
    let held: Held | undefined;
    try {
      held = platformHold(path);
      const problem = problemOf(held, path);
      if (problem === undefined) {
        guards.admit(held);
        return held;
      }
      held.close();
      return problem;
    } catch (error) {
      held?.close();
      return reasonOf(error);
    }
  }
}

function problemOf(held: Held, path: string): string | undefined {
  if (held.stats.isSymbolicLink()) return 'is a symbolic link: its real path has to be given';
  if (!held.stats.isDirectory()) return 'is not a directory';
  // A parent that became a link after the session was made would lead elsewhere.
  if (openedPath(held, path) !== path) return 'is not at its real path any more: it or a parent was replaced by a link';
  accessSync(held.self(), constants.R_OK | constants.X_OK);
  return undefined;
}

/** Linux names the path of an open descriptor; elsewhere the path is resolved anew. */
function openedPath(held: Held, path: string): string {
  const self = held.self();
  if (self !== path) return readlinkSync(self);
  held.verify();
  return realpathSync(path);
}

function reasonOf(error: unknown): string {
  if (error === 'access') return 'is on a file system that no tool may touch';
  if (error === 'not-permitted') return 'was replaced while it was opened';
  const errno = errnoOf(error);
  if (errno === 'ENOENT' || error === 'no-entry') return 'does not exist';
  if (errno === 'ENOTDIR') return 'is not a directory';
  if (errno === 'EACCES') return 'cannot be read: check its permissions';
  if (errno === undefined) throw error;
  return `cannot be opened: ${errno}`;
}
