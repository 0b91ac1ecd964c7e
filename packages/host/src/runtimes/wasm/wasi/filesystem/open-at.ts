import { closeSync, constants, openSync } from 'node:fs';
import { asDirectory, type Directory, holdEntry } from './directory.ts';
import { errnoOf, fail } from './error-code.ts';
import type { Held } from './held.ts';
import { IS_LINK, type Place, resolveAt } from './resolve-at.ts';

/** A name that another process makes and removes all the time is given up after so many looks. */
const MAX_LOOKS = 16;
/** 0 on Windows. A regular file never blocks but for a lease that another process has on it. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NON_BLOCK = constants.O_NONBLOCK ?? 0;

export interface PathFlags {
  readonly symlinkFollow?: boolean;
}

export interface OpenFlags {
  readonly create?: boolean;
  readonly directory?: boolean;
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
}

export interface DescriptorFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly fileIntegritySync?: boolean;
  readonly dataIntegritySync?: boolean;
  readonly requestedWriteSync?: boolean;
  readonly mutateDirectory?: boolean;
}

export interface OpenRequest {
  readonly path: string;
  readonly pathFlags: PathFlags;
  readonly openFlags: OpenFlags;
  readonly flags: DescriptorFlags;
}

/** What was opened: a directory that is held, or a descriptor of a regular file. The caller closes it. */
export type Opened =
  | { readonly kind: 'directory'; readonly directory: Directory }
  | { readonly kind: 'file'; readonly fd: number; readonly isReadOnly: boolean };

/** `descriptor.open-at`. Only regular files and directories are opened; devices, FIFOs and sockets are refused untouched. */
export function openAt(base: Directory, request: OpenRequest): Opened {
  const { create, truncate } = request.openFlags;
  const isChange = Boolean(create || truncate || request.flags.write || request.flags.mutateDirectory);
  return resolveAt(base, request.path, (place) => {
    if (isChange && place.directory.isReadOnly) fail('read-only');
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const held = holdEntry(place.directory, place.name);
      if (held !== undefined) return openHeld(held, place, request);
      const fd = createFile(place, request);
      if (fd !== undefined) return { kind: 'file', fd, isReadOnly: false };
    }
    return fail('busy');
  });
}

/** Opens what was found, by itself and not by its name. */
function openHeld(held: Held, place: Place, request: OpenRequest): Opened | typeof IS_LINK {
  let isKept = false;
  try {
    const { create, exclusive } = request.openFlags;
    if (create && exclusive) fail('exist');
    if (held.stats.isSymbolicLink())
      return request.pathFlags.symlinkFollow || place.mustBeDirectory ? IS_LINK : fail('loop');
    if (!held.stats.isDirectory()) return openFile(held, place, request);
    const directory = openDirectory(held, place, request);
    isKept = true;
    return { kind: 'directory', directory };
  } finally {
    if (!isKept) held.close();
  }
}

function openDirectory(held: Held, place: Place, { openFlags, flags }: OpenRequest): Directory {
  if (flags.write || openFlags.truncate || openFlags.create) fail('is-directory');
  const directory = asDirectory(place.directory, held);
  if (flags.mutateDirectory && directory.isReadOnly) fail('read-only');
  return directory;
}

function openFile(held: Held, place: Place, request: OpenRequest): Opened {
  if (request.openFlags.directory || place.mustBeDirectory) fail('not-directory');
  if (!held.stats.isFile()) fail('not-permitted');
  const { isReadOnly, root } = place.directory;
  root.guards.admit(held);
  const truncate = request.openFlags.truncate ? constants.O_TRUNC : 0;
  return { kind: 'file', fd: held.open(accessFlags(request) | truncate | NON_BLOCK), isReadOnly };
}

/** Makes the file and opens it; undefined when there is something under that name by now. */
function createFile(place: Place, request: OpenRequest): number | undefined {
  const { openFlags } = request;
  if (!openFlags.create) fail('no-entry');
  if (openFlags.directory) fail('invalid');
  if (place.mustBeDirectory) fail('is-directory');
  const flags = accessFlags(request) | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
  try {
    return openVerified(place, flags);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

function openVerified({ directory: { held }, name }: Place, flags: number): number {
  const fd = openSync(held.entry(name), flags, 0o666);
  try {
    held.verify();
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function accessFlags({ flags, openFlags }: OpenRequest): number {
  const isWriting = flags.write || openFlags.truncate;
  const access = !isWriting ? constants.O_RDONLY : flags.read ? constants.O_RDWR : constants.O_WRONLY;
  const isSynced = flags.fileIntegritySync || flags.requestedWriteSync;
  const sync = isSynced ? (constants.O_SYNC ?? 0) : flags.dataIntegritySync ? (constants.O_DSYNC ?? 0) : 0;
  return access | sync;
}
