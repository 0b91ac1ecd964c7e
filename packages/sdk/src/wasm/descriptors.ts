import type { Descriptor, DescriptorFlags, DescriptorStat, OpenFlags, PathFlags } from 'wasi:filesystem/types@0.2.12';
import type { DirectoryEntry, FileStat } from '../fs/files.ts';

/** What one read asks for; a host may give less. */
const READ_BYTES = 1024 * 1024;
/** An output stream takes at most this much at once (wasi:io, blocking-write-and-flush). */
const APPEND_BYTES = 4096;
const MAX_DEPTH = 256;

const FOLLOW: PathFlags = { symlinkFollow: true };
const NO_FOLLOW: PathFlags = { symlinkFollow: false };
const NOTHING: OpenFlags = { create: false, directory: false, exclusive: false, truncate: false };
const READING: DescriptorFlags = {
  read: true,
  write: false,
  fileIntegritySync: false,
  dataIntegritySync: false,
  requestedWriteSync: false,
  mutateDirectory: false,
};
const WRITING: DescriptorFlags = { ...READING, read: false, write: true };

/** The work of wasi:filesystem on a name in an open directory. Each throws an Error whose payload is WASI's code. */
export function readFileAt(dir: Descriptor, name: string): Uint8Array {
  return withDescriptor(dir.openAt(FOLLOW, name, NOTHING, READING), (file) => {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const [piece, isAtEnd] = file.read(READ_BYTES, length);
      pieces.push(piece);
      length += piece.length;
      if (isAtEnd || piece.length === 0) return joined(pieces, length);
    }
  });
}

export function writeFileAt(dir: Descriptor, name: string, bytes: Uint8Array): void {
  const flags = { ...NOTHING, create: true, truncate: true };
  withDescriptor(dir.openAt(FOLLOW, name, flags, WRITING), (file) => {
    let written = 0;
    while (written < bytes.length) written += Number(file.write(bytes.subarray(written), written));
  });
}

export function appendFileAt(dir: Descriptor, name: string, bytes: Uint8Array): void {
  withDescriptor(dir.openAt(FOLLOW, name, { ...NOTHING, create: true }, WRITING), (file) => {
    withDescriptor(file.appendViaStream(), (stream) => {
      for (let at = 0; at < bytes.length; at += APPEND_BYTES) {
        stream.blockingWriteAndFlush(bytes.subarray(at, at + APPEND_BYTES));
      }
    });
  });
}

export function statAt(dir: Descriptor, name: string): FileStat {
  const { type, size, dataModificationTimestamp: modified } = dir.statAt(FOLLOW, name);
  return {
    ...kindOf(type),
    size: Number(size),
    ...(modified && { modifiedAt: Number(modified.seconds) * 1000 + Math.floor(modified.nanoseconds / 1e6) }),
  };
}

export function listAt(dir: Descriptor, name: string): DirectoryEntry[] {
  const list = withDescriptor(dir.openAt(FOLLOW, name, { ...NOTHING, directory: true }, READING), entriesOf);
  return list.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function makeDirectoryAt(dir: Descriptor, name: string, recursive: boolean): void {
  if (recursive) makeAllAt(dir, name);
  else dir.createDirectoryAt(name);
}

function makeAllAt(dir: Descriptor, name: string): void {
  if (name === '.') return;
  const steps = name.split('/');
  for (let count = 1; count <= steps.length; count++) {
    const step = steps.slice(0, count).join('/');
    try {
      dir.createDirectoryAt(step);
    } catch (error) {
      if (wasiCode(error) !== 'exist' || !statAt(dir, step).isDirectory) throw error;
    }
  }
}

/** A link is removed itself, never what it leads to. */
export function removeAt(dir: Descriptor, name: string, recursive: boolean, depth = 0): void {
  if (dir.statAt(NO_FOLLOW, name).type !== 'directory') {
    dir.unlinkFileAt(name);
    return;
  }
  if (recursive && depth < MAX_DEPTH) {
    for (const entry of listAt(dir, name)) removeAt(dir, `${name}/${entry.name}`, true, depth + 1);
  }
  dir.removeDirectoryAt(name);
}

/** WASI's name of an error, such as `no-entry`; undefined when something else was thrown. */
export function wasiCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('payload' in error)) return undefined;
  const { payload } = error;
  if (typeof payload === 'string') return payload;
  return typeof payload === 'object' && payload !== null && 'tag' in payload ? String(payload.tag) : undefined;
}

function entriesOf(dir: Descriptor): DirectoryEntry[] {
  return withDescriptor(dir.readDirectory(), (stream) => {
    const entries: DirectoryEntry[] = [];
    for (;;) {
      const entry = stream.readDirectoryEntry();
      if (!entry) return entries;
      entries.push({ name: entry.name, ...kindOf(entry.type) });
    }
  });
}

function kindOf(type: DescriptorStat['type']): { isFile: boolean; isDirectory: boolean } {
  return { isFile: type === 'regular-file', isDirectory: type === 'directory' };
}

function withDescriptor<Resource extends Disposable, T>(resource: Resource, work: (resource: Resource) => T): T {
  try {
    return work(resource);
  } finally {
    resource[Symbol.dispose]();
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
