import type { ToolpostEvent } from '@toolpost/protocol';
import type { LogEntry, SessionStore } from '../sessions/session-store.ts';
import { addEntry } from './merge-entries.ts';

/** Where the entries of one session come from, and what was stored of them goes. */
export interface LogSource {
  readonly id: string;
  stored(events: readonly ToolpostEvent[]): void;
  /** Nothing that was added since the last `stored` is kept. */
  failed(error: Error): void;
}

/** A transaction that took long, as on a slow disk, makes the next one wait no longer than this. */
const MAX_PAUSE_MS = 20;

/**
 * Stores what the sessions of this host append. All that comes in one turn of the event loop, of every session, is one
 * transaction: a single event waits for less than a millisecond. Between two transactions passes as much time as the
 * first one took, so that under load the batches grow and half of the time is left for everything else. Clients hear of
 * an event when it is stored, so that none has seen what a `kill -9` takes away.
 */
export interface LogWriter {
  add(source: LogSource, entry: LogEntry): void;
  /** Stores what waits, now. */
  flush(): void;
}

export function createLogWriter(store: SessionStore): LogWriter {
  const waiting = new Map<LogSource, LogEntry[]>();
  let cancelScheduled: (() => void) | undefined;
  let nextAt = 0;

  function schedule(): () => void {
    const pauseMs = nextAt - performance.now();
    if (pauseMs <= 0) {
      const immediate = setImmediate(flush);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(flush, pauseMs);
    return () => clearTimeout(timer);
  }

  function flush(): void {
    cancelScheduled?.();
    cancelScheduled = undefined;
    if (waiting.size === 0) return;
    const startedAt = performance.now();
    write();
    const endedAt = performance.now();
    nextAt = endedAt + Math.min(endedAt - startedAt, MAX_PAUSE_MS);
  }

  function write(): void {
    const batches = [...waiting].map(([source, entries]) => ({ source, sessionId: source.id, entries }));
    waiting.clear();
    try {
      const results = store.append(batches);
      batches.forEach(({ source }, index) => {
        const result = results[index];
        if (result && 'events' in result) source.stored(result.events);
        else if (result) source.failed(result.error);
      });
    } catch (error) {
      for (const { source } of batches) source.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    add(source, entry) {
      const entries = waiting.get(source);
      if (entries) addEntry(entries, entry);
      else waiting.set(source, [entry]);
      cancelScheduled ??= schedule();
    },
    flush,
  };
}
