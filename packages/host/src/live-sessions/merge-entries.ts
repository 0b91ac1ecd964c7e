import type { EventBody } from '@toolpost/protocol';
import type { LogEntry } from '../sessions/session-store.ts';

/** A delta that is longer stands alone, so that no client gets an event it cannot take in one piece. */
const MAX_MERGED_CHARS = 64 * 1024;

type Delta = Extract<EventBody, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' | 'tool-output-delta' }>;

/**
 * Adds an entry behind those that wait to be stored. A delta that goes on where the last one ended becomes one with it:
 * what a tool prints in one go is one event, whatever pieces it came in.
 */
export function addEntry(entries: LogEntry[], entry: LogEntry): void {
  const last = entries.at(-1);
  const merged = last?.type === 'event' && entry.type === 'event' ? merge(last.body, entry.body) : undefined;
  if (last?.type === 'event' && merged) entries[entries.length - 1] = { ...last, body: merged };
  else entries.push(entry);
}

function merge(first: EventBody, second: EventBody): EventBody | undefined {
  if (!isDelta(first) || !isDelta(second) || placeOf(first) !== placeOf(second)) return undefined;
  const text = first.text + second.text;
  return text.length > MAX_MERGED_CHARS ? undefined : { ...first, text };
}

function isDelta(body: EventBody): body is Delta {
  return (
    body.type === 'text-delta' ||
    body.type === 'reasoning-delta' ||
    body.type === 'tool-input-delta' ||
    body.type === 'tool-output-delta'
  );
}

/** Deltas of one place are one text. */
function placeOf(delta: Delta): string {
  if (delta.type === 'tool-input-delta') return `input ${delta.toolCallId}`;
  return delta.type === 'tool-output-delta' ? `${delta.stream} ${delta.toolCallId}` : delta.type;
}
