import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FLUSH_MS = 50;
/** A loop that never lets the timer run must not fill the memory. */
const MAX_BUFFERED_CHARS = 64 * 1024;

export interface Journal {
  /** One line of JSON, without its line end. */
  record(line: string): void;
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
 * One JSON line a call in `<home>/journal/YYYY-MM-DD.jsonl` (UTC), 0600. Lines are buffered and written within 100 ms
 * and at exit, in one synchronous append: a write left to a thread would be lost when the process exits. A disk that
 * is full costs a warning, never a call.
 */
export function createJournal({ homeDir, redact, onProblem }: JournalOptions): Journal {
  const folder = join(homeDir, 'journal');
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    const text = redact(lines);
    lines = '';
    const file = join(folder, `${new Date().toISOString().slice(0, 10)}.jsonl`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, text, { flag: 'a', mode: 0o600 });
    } catch (error) {
      if (!hasWarned)
        onProblem(`the journal ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
      hasWarned = true;
    }
  }

  if (openJournals.size === 0) process.on('exit', flushAll);
  openJournals.add(flush);
  return {
    record(line) {
      lines += `${line}\n`;
      if (lines.length > MAX_BUFFERED_CHARS) flush();
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
