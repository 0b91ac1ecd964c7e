import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import { fileNameOf } from '../settings/file-names.ts';

const FLUSH_MS = 50;
/** A loop that never lets the timer run must not fill the memory. */
const MAX_BUFFERED_CHARS = 32 * 1024;

export interface Journal {
  /** One line of JSON, without its line end, of a call of this tenant. */
  record(line: string, tenant?: string): void;
  /** Writes what is buffered, also while the process exits. */
  flush(): void;
  close(): void;
}

export interface JournalOptions {
  readonly homeDir: string;
  readonly redact: (text: string) => string;
  readonly onProblem: (message: string) => void;
}

/** One listener for all: a program may open more hosts than an emitter likes to have listeners. */
const openJournals = new Set<() => void>();

function flushAll(): void {
  for (const flush of openJournals) flush();
}

/**
 * One JSON line a call in `<home>/journal/YYYY-MM-DD.jsonl` (UTC), 0600, of a tenant in a folder of its own. Lines are buffered and written within 100 ms
 * and at exit, in one synchronous append: a write left to a thread would be lost when the process exits. A disk that
 * is full costs a warning, never a call.
 */
export function createJournal({ homeDir, redact, onProblem }: JournalOptions): Journal {
  /** Lines that are not written yet, by tenant. */
  const waiting = new Map<string, string>();
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (chars === 0) return;
    const all = [...waiting];
    waiting.clear();
    chars = 0;
    for (const [tenant, lines] of all) write(journalFile(homeDir, tenant, today()), redact(lines));
  }

  function write(file: string, text: string): void {
    try {
      append(file, text);
    } catch (error) {
      if (!hasWarned) onProblem(`the journal ${file} cannot be written: ${messageOf(error)}`);
      hasWarned = true;
    }
  }

  if (openJournals.size === 0) process.on('exit', flushAll);
  openJournals.add(flush);
  return {
    record(line, tenant = '') {
      waiting.set(tenant, `${waiting.get(tenant) ?? ''}${line}\n`);
      chars += line.length + 1;
      if (chars > MAX_BUFFERED_CHARS) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
    close() {
      flush();
      openJournals.delete(flush);
      if (openJournals.size === 0) process.off('exit', flushAll);
    },
  };
}

/** Where the calls of a tenant stand; `day` is like 2026-11-30. */
export function journalFile(homeDir: string, tenant: string, day: string): string {
  const folder = tenant === '' ? 'journal' : join('journal', 'tenants', fileNameOf(tenant));
  return join(homeDir, folder, `${day}.jsonl`);
}

/** Days are those of UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A text goes to the file without a copy of it as bytes, which is most of what an entry costs. */
function append(file: string, text: string): void {
  const fd = openToAppend(file);
  try {
    const written = writeSync(fd, text);
    const bytes = Buffer.byteLength(text);
    if (written < bytes) throw new Error(`only ${written} of ${bytes} bytes could be written`);
  } finally {
    closeSync(fd);
  }
}

function openToAppend(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'a', 0o600);
  }
}
