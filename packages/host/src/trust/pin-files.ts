import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { HostError } from '@toolpost/protocol';

/** Everything is read at each start, so it must stay quick; what is larger belongs into the home directory. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Content hashes of files under one root. A name is relative to the root, with `/` between its parts. */
export interface Pins {
  readonly root: string;
  /** By name. What stands behind a link counts under the name of the link. */
  readonly hashes: Map<string, string>;
  entriesLeft: number;
  bytesLeft: number;
}

export function createPins(root: string): Pins {
  return { root, hashes: new Map(), entriesLeft: MAX_ENTRIES, bytesLeft: MAX_BYTES };
}

/** Pins one file and returns the text that was hashed; undefined when there is no such file. */
export function pinText(pins: Pins, name: string): string | undefined {
  const path = join(pins.root, name);
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let length = 0;
  readChunks(pins, realPathInside(pins, path), (chunk) => {
    hash.update(chunk);
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw refusal(path, 'is larger than 1 MiB');
  });
  pins.hashes.set(name, hash.digest('hex'));
  return Buffer.concat(chunks).toString('utf8');
}

/** Pins every file of a folder, as deep as it goes. `isSkipped` names folders that are left out. */
export function pinFolder(pins: Pins, name: string, isSkipped: (name: string) => boolean): void {
  const path = join(pins.root, name);
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  // The folders on the way may be links too; from here on every path is a real one.
  pinEntry(pins, { path: join(realPathInside(pins, dirname(path)), basename(path)), name, isSkipped, outer: [] });
}

interface Entry {
  /** Real but for its last part. */
  path: string;
  name: string;
  isSkipped: (name: string) => boolean;
  /** The folders around it: a link back to one of them adds nothing. */
  outer: readonly string[];
}

function pinEntry(pins: Pins, entry: Entry): void {
  pins.entriesLeft -= 1;
  if (pins.entriesLeft < 0) throw refusal(pins.root, `has more than ${MAX_ENTRIES} files and folders to trust`);
  const { path, name } = entry;
  const hash = createHash('sha256');
  const isLink = lstatSync(path).isSymbolicLink();
  // A link counts by what it says too: the same text behind another path may be another thing to a program.
  if (isLink) hash.update(`${readlinkSync(path)}\0`);
  const real = isLink ? realPathInside(pins, path) : path;
  if (!lstatSync(real).isDirectory()) {
    readChunks(pins, real, (chunk) => hash.update(chunk));
    pins.hashes.set(name, hash.digest('hex'));
    return;
  }
  if (isLink) pins.hashes.set(name, hash.digest('hex'));
  else if (entry.isSkipped(name)) return;
  if (entry.outer.includes(real)) return;
  const outer = [...entry.outer, real];
  for (const child of readdirSync(real)) {
    pinEntry(pins, { ...entry, path: join(real, child), name: `${name}/${child}`, outer });
  }
}

function realPathInside(pins: Pins, path: string): string {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch {
    throw refusal(path, 'is a link that leads to nothing, and what will be there cannot be known');
  }
  const prefix = pins.root.endsWith(sep) ? pins.root : pins.root + sep;
  if (real.startsWith(prefix)) return real;
  throw refusal(path, `leads out of the project, to ${real}, where it could change unseen: copy it into the project`);
}

/** Reads through one handle, so that what was checked to be a file is what is read. */
function readChunks(pins: Pins, path: string, use: (chunk: Buffer) => void): void {
  // Without O_NONBLOCK, opening a pipe that took the file's place would wait for ever.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw refusal(path, `is ${kindOf(stats)}, neither a file nor a folder`);
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, stats.size)));
    for (let length = readSync(handle, buffer); length > 0; length = readSync(handle, buffer)) {
      pins.bytesLeft -= length;
      if (pins.bytesLeft < 0) throw refusal(pins.root, 'has more than 256 MiB to trust');
      use(buffer.subarray(0, length));
    }
  } finally {
    closeSync(handle);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isDirectory() ? 'a folder' : 'a device';
}

function refusal(path: string, reason: string): HostError {
  return new HostError('CONFIG_INVALID', `cannot be trusted: ${path} ${reason}`);
}
