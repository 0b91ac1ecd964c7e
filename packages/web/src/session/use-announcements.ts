import { useEffect, useRef } from 'react';
import { useConnection } from '../app/connection.ts';
import { plainLine } from '../text/plain-text.ts';
import type { LiveView } from './session-store.ts';

/** Tells who listens to the page what others see: questions, and the end of a turn. */
export function useAnnouncements({ view, isLoaded }: LiveView): void {
  const { say } = useConnection();
  const known = useRef<{ turns: number; asking: number } | undefined>(undefined);
  useEffect(() => {
    const before = known.current;
    if (isLoaded) known.current = { turns: view.turns, asking: view.asking.length };
    if (!before) return;
    if (view.asking.length > before.asking) say('A call asks whether it may run', 'spoken');
    if (view.turns <= before.turns) return;
    const last = view.entries.findLast(({ kind }) => kind === 'text');
    const words = last?.kind === 'text' ? plainLine(last.text.replace(/[*_`#>|]/g, '')).slice(0, 200) : '';
    say(`Done. ${words}`.trim(), 'spoken');
  }, [view, isLoaded, say]);
}
