import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CallEntry, SessionView } from '../session/entries.ts';
import type { LiveView } from '../session/session-store.ts';
import type { Panel } from './panel-context.ts';
import { interfaceOf, type ShownInterface } from './shown-interface.ts';

interface OpenPanel {
  readonly call: CallEntry;
  readonly shown: ShownInterface;
}

/** Where it stands beside the conversation, not over it. As the style sheets have it. */
const hasRoom = matchMedia('(width >= 1100px)');

/**
 * The panel of a session: one that is drawn while somebody looks on opens by itself where there is room beside the
 * conversation, any other when it is asked for.
 */
export function usePanel({ view, openedAt }: LiveView, uis: ReadonlyMap<string, unknown>) {
  const [openKey, setOpenKey] = useState<number>();
  const newest = newestPanel(view, uis, openedAt ?? Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (newest !== undefined && hasRoom.matches) setOpenKey(newest);
  }, [newest]);
  const panel = useMemo<Panel>(() => ({ openKey, open: ({ key }) => setOpenKey(key) }), [openKey]);
  const close = useCallback(() => setOpenKey(undefined), []);
  return { panel, open: openPanel(view, uis, openKey), close };
}

function newestPanel({ entries }: SessionView, uis: ReadonlyMap<string, unknown>, after: number): number | undefined {
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (!entry || entry.key <= after) return undefined;
    if (entry.kind === 'call' && interfaceOf(entry, uis.get(entry.name))?.surface === 'panel') return entry.key;
  }
  return undefined;
}

function openPanel(
  view: SessionView,
  uis: ReadonlyMap<string, unknown>,
  key: number | undefined,
): OpenPanel | undefined {
  if (key === undefined) return undefined;
  const call = view.entries.find((entry): entry is CallEntry => entry.kind === 'call' && entry.key === key);
  const shown = call && interfaceOf(call, uis.get(call.name));
  return call && shown && { call, shown };
}
