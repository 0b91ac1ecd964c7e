import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What was sent in chats, in a home directory: one JSON text a line, the oldest first. */
export interface HistoryFile {
  read(): string[];
  /** Never throws: a prompt that cannot be kept is sent all the same. */
  append(text: string): void;
}

const NAME = 'chat-history.jsonl';
/** The older part has as much again. */
const MAX_BYTES = 512 * 1024;
const MAX_READ = 1000;
/** What is longer is known as long as the chat runs. */
const MAX_ENTRY_CHARS = 20_000;
/** A process that was killed while it moved the file is not waited for. */
const STALE_LOCK_MS = 60_000;

/**
 * Several processes may write at once: each line is appended in one write, and a file that is full is moved aside as a
 * whole, so that none is lost.
 */
export function openHistoryFile(homeDir: string): HistoryFile {
  const file = join(homeDir, NAME);
  return {
    read: () => [...readEntries(`${file}.1`), ...readEntries(file)].slice(-MAX_READ),
    append(text) {
      if (text.length > MAX_ENTRY_CHARS) return;
      try {
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
        if (isFull(file)) moveAside(file);
      } catch {
        // A home that cannot be written to is told of where it matters.
      }
    },
  };
}

/** Half a line, which a full disk left, costs that line alone. */
function readEntries(file: string): string[] {
  return readText(file)
    .split('\n')
    .flatMap((line) => {
      try {
        const entry: unknown = JSON.parse(line);
        return typeof entry === 'string' ? [entry] : [];
      } catch {
        return [];
      }
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isFull(file: string): boolean {
  return statSync(file).size > MAX_BYTES;
}

function moveAside(file: string): void {
  const lock = `${file}.lock`;
  try {
    mkdirSync(lock);
  } catch (error) {
    if (!isStale(lock)) throw error;
    rmdirSync(lock);
    mkdirSync(lock);
  }
  try {
    // Another process may have done it before the lock was ours.
    if (isFull(file)) renameSync(file, `${file}.1`);
  } finally {
    rmdirSync(lock);
  }
}

function isStale(lock: string): boolean {
  return Date.now() - statSync(lock).mtimeMs > STALE_LOCK_MS;
}
