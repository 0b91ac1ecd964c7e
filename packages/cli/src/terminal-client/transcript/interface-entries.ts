import type { ToolpostEvent } from '@toolpost/protocol';
import type { ActionEntry, Entry, NoteEntry } from './entries.ts';

type ActionEvent = Extract<ToolpostEvent, { type: 'ui-action' }>;
type UpdateEvent = Extract<ToolpostEvent, { type: 'ui-update' }>;

// An entry that was shown is replaced, not changed: whoever keeps what it looks like sees that it is another one.

/** What the last call of an id draws from now on. */
export function updateDrawn(entries: Entry[], { toolCallId, mode, code }: UpdateEvent): void {
  const at = entries.findLastIndex((entry) => entry.kind === 'call' && entry.toolCallId === toolCallId);
  const call = entries[at];
  if (call?.kind === 'call' && call.record) entries[at] = { ...call, ui: { mode, param: call.ui?.param, code } };
}

/** What was printed stays as it was: that something else is drawn now is said once, until something else is said. */
export function noteOfUpdate(entries: readonly Entry[], { toolCallId }: UpdateEvent): NoteEntry | undefined {
  const call = entries.findLast((entry) => entry.kind === 'call' && entry.toolCallId === toolCallId);
  if (call?.kind !== 'call' || !call.record) return undefined;
  const text = `${call.name} has changed what it drew (ctrl-o)`;
  const last = entries.at(-1);
  return last?.kind === 'note' && last.text === text ? undefined : { kind: 'note', tone: 'info', text };
}

/** What is new by an action: a card, or that the model has read the one that there is. Undefined for nothing. */
export function takeAction(
  entries: Entry[],
  { actionId, plugin, action, data, isNote }: ActionEvent,
): ActionEntry | NoteEntry | undefined {
  const known = entries.find((entry) => entry.kind === 'action' && entry.actionId === actionId);
  if (!known) {
    const number = 1 + entries.filter(({ kind }) => kind === 'action').length;
    return { kind: 'action', actionId, number, plugin, action, data, state: isNote ? 'told' : 'waiting' };
  }
  if (!isNote) return undefined;
  markAction(entries, actionId, 'told');
  return { kind: 'note', tone: 'info', text: `${action}, from an interface of ${plugin}, has reached the model` };
}

export function markAction(entries: Entry[], actionId: string, state: ActionEntry['state']): void {
  const at = entries.findIndex((entry) => entry.kind === 'action' && entry.actionId === actionId);
  const known = entries[at];
  if (known?.kind === 'action') entries[at] = { ...known, state };
}

export function isWaiting(entry: Entry): entry is ActionEntry {
  return entry.kind === 'action' && entry.state === 'waiting';
}
