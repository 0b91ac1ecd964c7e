import { memo } from 'react';
import type { CallEntry, Entry } from './entries.ts';
import { EntryView } from './entry-view.tsx';

interface EntryChunksProps {
  readonly entries: readonly Entry[];
  readonly sessionId: string;
  readonly uis: ReadonlyMap<string, unknown>;
  readonly onInspect: (call: CallEntry) => void;
}

/** Small enough to be drawn within a frame, large enough that a long session has few. */
const CHUNK_SIZE = 24;

/** The entries in chunks: what is out of sight is left out by the chunk, and what did not change is not looked at. */
export function EntryChunks({ entries, ...rest }: EntryChunksProps) {
  const starts = Array.from({ length: Math.ceil(entries.length / CHUNK_SIZE) }, (_, index) => index * CHUNK_SIZE);
  return starts.map((start) => <Chunk key={start} entries={entries.slice(start, start + CHUNK_SIZE)} {...rest} />);
}

const Chunk = memo(function Chunk({ entries, ...rest }: EntryChunksProps) {
  return (
    <div className="chunk">
      {entries.map((entry) => (
        <EntryView key={entry.key} entry={entry} {...rest} />
      ))}
    </div>
  );
}, isSame);

function isSame(before: EntryChunksProps, after: EntryChunksProps): boolean {
  return (
    before.uis === after.uis &&
    before.onInspect === after.onInspect &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, index) => entry === after.entries[index])
  );
}
