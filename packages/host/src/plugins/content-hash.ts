import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Larger files, and all after so many bytes, count by size and time: a plugin may ship a model or a data set. */
const MAX_READ_FILE_BYTES = 1024 * 1024;
const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** What a plugin writes itself, or what its source does not depend on. */
const SKIPPED_ANYWHERE = new Set(['.git', '__pycache__']);
const SKIPPED_AT_THE_TOP = new Set(['data']);

/** One pass over a plugin's files. `take` gets everything that counts, in a fixed order. */
interface Walk {
  take(part: string | Buffer): void;
  /** Whether files count by their bytes, or by what their `stat` says. */
  readonly readsFiles: boolean;
  entriesLeft: number;
  bytesLeft: number;
}

/**
 * A hash of what a plugin is made of: names and bytes of the files in its folder, or of one file. A changed byte changes
 * it, moving the folder does not. Undefined when the folder is too large to be known, or cannot be read.
 */
export function contentHash(path: string): string | undefined {
  const hash = createHash('sha256');
  return walkPlugin(path, true, (part) => hash.update(part)) ? hash.digest('hex') : undefined;
}

const MAX_STAMP_CHARS = 64 * 1024;
/** A file that is changed twice within one tick of the file system's clock keeps its times. */
const CLOCK_TICK_MS = 100;

/**
 * What `stat` says of all files of a plugin: while it is the same, so is the content hash, at a fraction of the cost.
 * Undefined when it cannot vouch for that: a very large folder, or one that changed just now.
 */
export function contentStamp(path: string): string | undefined {
  const newestMs = Date.now() - CLOCK_TICK_MS;
  let stamp = '';
  const isWhole = walkPlugin(path, false, (part) => {
    stamp += part;
  });
  const isSettled = [...stamp.matchAll(/ c(\d+)/g)].every(([, ctimeMs]) => Number(ctimeMs) < newestMs);
  return isWhole && isSettled && stamp.length < MAX_STAMP_CHARS ? stamp : undefined;
}

function walkPlugin(path: string, readsFiles: boolean, take: Walk['take']): boolean {
  const walk: Walk = { take, readsFiles, entriesLeft: MAX_ENTRIES, bytesLeft: MAX_READ_BYTES };
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) addFolder(walk, path, '');
    else if (stats.isFile()) addFile(walk, { path, name: '', stats });
    else return false;
  } catch {
    return false;
  }
  return walk.entriesLeft >= 0;
}

function addFolder(walk: Walk, folder: string, prefix: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED_ANYWHERE.has(entry.name) || (prefix === '' && SKIPPED_AT_THE_TOP.has(entry.name))) continue;
    walk.entriesLeft -= 1;
    if (walk.entriesLeft < 0) return;
    addEntry(walk, entry, { path: join(folder, entry.name), name: prefix + entry.name });
  }
}

function addEntry(walk: Walk, entry: Dirent, { path, name }: { path: string; name: string }): void {
  if (entry.isSymbolicLink()) addLink(walk, path, name);
  else if (entry.isFile()) addFile(walk, { path, name, stats: lstatSync(path) });
  else {
    add(walk, entry.isDirectory() ? 'folder' : 'other', name);
    if (!entry.isDirectory()) return;
    if (entry.name === 'node_modules') addInstalledPackages(walk, path, name);
    else addFolder(walk, path, `${name}/`);
  }
}

function addFile(walk: Walk, { path, name, stats }: { path: string; name: string; stats: Stats }): void {
  if (!walk.readsFiles) {
    add(walk, 'stat', name, `${statText(stats)} ${stats.ino} c${Math.ceil(stats.ctimeMs)}.${stats.ctimeMs}`);
    return;
  }
  if (stats.size > MAX_READ_FILE_BYTES || stats.size > walk.bytesLeft) {
    add(walk, 'stat', name, statText(stats));
    return;
  }
  const content = readFileSync(path);
  walk.bytesLeft -= content.length;
  add(walk, 'file', name, String(content.length));
  walk.take(content);
}

/** A link counts by what it says and, when it leads to something, by the size and time of that. */
function addLink(walk: Walk, path: string, name: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  add(walk, 'link', name, readlinkSync(path), stats ? statText(stats) : '');
}

/** npm keeps what it installed in one file; without it, the names and times of the packages must do. */
function addInstalledPackages(walk: Walk, folder: string, name: string): void {
  const lockFile = join(folder, '.package-lock.json');
  const stats = statSync(lockFile, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    addFile(walk, { path: lockFile, name: `${name}/.package-lock.json`, stats });
    return;
  }
  for (const entry of readdirSync(folder).sort()) {
    walk.entriesLeft -= 1;
    const entryStats = statSync(join(folder, entry), { throwIfNoEntry: false });
    add(walk, 'package', entry, entryStats ? statText(entryStats) : '');
  }
}

function statText({ size, mtimeMs }: Stats): string {
  return `${size} ${mtimeMs}`;
}

/** Names and link targets hold no NUL, so the parts cannot run into each other. */
function add(walk: Walk, ...parts: string[]): void {
  walk.take(`${parts.join('\0')}\0\0`);
}
