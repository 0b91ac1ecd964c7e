import { memo, type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { CallEntry, Entry } from './entries.ts';
import { EntryView } from './entry-view.tsx';
import { estimateHeight } from './estimate-height.ts';
import { createListWindow, type ListWindow } from './list-window.ts';
import { layOut } from './window.ts';

interface EntryChunksProps {
  readonly entries: readonly Entry[];
  readonly sessionId: string;
  readonly uis: ReadonlyMap<string, unknown>;
  readonly onInspect: (call: CallEntry) => void;
  /** What they scroll in. */
  readonly box: RefObject<HTMLElement | null>;
}

/** Small enough to be drawn within a frame, large enough that a long session has few. */
const CHUNK_SIZE = 2;
/** Up to here all is drawn, so that the browser's own search finds everything. */
const MANY_ENTRIES = 200;

/** The entries in chunks: what did not change is not looked at, and in a long session what is far from sight is not there. */
export function EntryChunks({ entries, box, ...rest }: EntryChunksProps) {
  const isLong = entries.length > MANY_ENTRIES;
  const [list] = useState(createListWindow);
  const chunks = useMemo(() => inChunks(entries), [entries]);
  list.resize(chunks.length, (part) => (chunks[part] ?? []).reduce((sum, entry) => sum + estimateHeight(entry), 0));
  const range = useSyncExternalStore(list.subscribe, list.range);
  useEffect(() => (isLong && box.current ? list.attach(box.current) : undefined), [isLong, list, box]);
  const isThere = (part: number) => !isLong || list.isKept(part) || (part >= range.first && part < range.end);
  return layOut(list.heights(), isThere).map((piece) =>
    'part' in piece ? (
      <Chunk key={piece.part} part={piece.part} entries={chunks[piece.part] ?? []} list={list} {...rest} />
    ) : (
      <div key={`away ${piece.before}`} className="away" style={{ height: piece.awayPx }} />
    ),
  );
}

function inChunks(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const count = Math.ceil(entries.length / CHUNK_SIZE);
  return Array.from({ length: count }, (_, part) => entries.slice(part * CHUNK_SIZE, (part + 1) * CHUNK_SIZE));
}

interface ChunkProps extends Omit<EntryChunksProps, 'box'> {
  readonly part: number;
  readonly list: ListWindow;
}

const Chunk = memo(function Chunk({ part, entries, list, ...rest }: ChunkProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? list.measure(part, element.current) : undefined), [list, part]);
  const keep = () => list.keep(part);
  return (
    <div className="chunk" ref={element} onClickCapture={keep} onFocusCapture={keep}>
      {entries.map((entry) => (
        <EntryView key={entry.key} entry={entry} {...rest} />
      ))}
    </div>
  );
}, isSame);

function isSame(before: ChunkProps, after: ChunkProps): boolean {
  return (
    before.uis === after.uis &&
    before.onInspect === after.onInspect &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, index) => entry === after.entries[index])
  );
}
