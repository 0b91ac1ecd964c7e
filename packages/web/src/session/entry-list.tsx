import { memo, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CallEntry, Entry } from './entries.ts';
import { EntryView } from './entry-view.tsx';
import { estimateHeight } from './estimate-height.ts';
import { createListWindow, type ListWindow } from './list-window.ts';
import { layOut } from './window.ts';

interface EntryListProps extends Shared {
  readonly entries: readonly Entry[];
  /** What they scroll in. */
  readonly box: RefObject<HTMLElement | null>;
}

/** The same for all of them. */
interface Shared {
  readonly sessionId: string;
  readonly uis: ReadonlyMap<string, unknown>;
  readonly onInspect: (call: CallEntry) => void;
}

/** Up to here all is drawn, so that the browser's own search finds everything. */
const MANY_ENTRIES = 200;

/** The entries of a session. One that did not change is not looked at; of many, those far from sight are not there. */
export function EntryList({ entries, box, ...shared }: EntryListProps) {
  const isLong = entries.length > MANY_ENTRIES;
  const [list] = useState(createListWindow);
  list.resize(entries.length, (part) => {
    const entry = entries[part];
    return entry ? estimateHeight(entry) : 0;
  });
  const range = useSyncExternalStore(list.subscribe, list.range);
  useEffect(() => (isLong && box.current ? list.attach(box.current) : undefined), [isLong, list, box]);
  const isThere = (part: number) => !isLong || list.isKept(part) || (part >= range.first && part < range.end);
  return layOut(list.heights(), isThere).map((piece) => {
    if ('awayPx' in piece)
      return <div key={`away ${piece.before}`} className="away" style={{ height: piece.awayPx }} />;
    const entry = entries[piece.part];
    return entry && <Part key={piece.part} part={piece.part} entry={entry} list={list} {...shared} />;
  });
}

interface PartProps extends Shared {
  readonly part: number;
  readonly entry: Entry;
  readonly list: ListWindow;
}

const Part = memo(function Part({ part, list, ...rest }: PartProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? list.measure(part, element.current) : undefined), [list, part]);
  const keep = () => list.keep(part);
  return (
    <div className="entry" ref={element} onClickCapture={keep} onFocusCapture={keep}>
      <EntryView {...rest} />
    </div>
  );
});
