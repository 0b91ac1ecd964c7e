import type { Entry } from '../transcript/entries.ts';
import { spinnerAt } from './call-state.ts';
import { type Line, span } from './line.ts';
import type { Theme } from './theme.ts';

/** That a turn runs, what it is at, and how it is cancelled. */
export function workingLine(
  entries: readonly Entry[],
  startedAt: number,
  { theme, now }: { theme: Theme; now: number },
): Line {
  const passed = Math.floor(Math.max(0, now - startedAt) / 1000);
  return [
    span(`${spinnerAt(now)} ${activity(entries)}`, theme.accent),
    span(`${passed > 0 ? ` ${passed} s` : ''}  esc cancels`, theme.faint),
  ];
}

function activity(entries: readonly Entry[]): string {
  const last = entries.at(-1);
  if (last?.kind === 'text' && last.isOpen) return 'writing';
  if (last?.kind !== 'call') return 'thinking';
  const states = new Set<string>();
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind !== 'call') break;
    states.add(entry.state);
  }
  if (states.has('asking')) return 'waiting for you';
  return states.has('running') || states.has('queued') ? 'working' : 'thinking';
}
