import type { ToolpostEvent } from '@toolpost/protocol';
import type { ActionEntry, Entry } from './entries.ts';

type ActionEvent = Extract<ToolpostEvent, { type: 'ui-action' }>;
type UpdateEvent = Extract<ToolpostEvent, { type: 'ui-update' }>;

export function toAction({ actionId, plugin, action, data, isNote }: ActionEvent): Omit<ActionEntry, 'key'> {
  return { kind: 'ui-action', actionId, plugin, action, data, isNote: isNote === true, isSent: false };
}

/** The same action again takes the place of the former; false when it is a new one. */
export function replaceAction(entries: Entry[], event: ActionEvent): boolean {
  const at = entries.findIndex((entry) => entry.kind === 'ui-action' && entry.actionId === event.actionId);
  const found = entries[at];
  if (!found) return false;
  entries[at] = { ...toAction(event), key: found.key };
  return true;
}

/** A turn has begun with it. */
export function markSent(entries: Entry[], actionId: string | undefined): void {
  if (actionId === undefined) return;
  const at = entries.findIndex((entry) => entry.kind === 'ui-action' && entry.actionId === actionId);
  const found = entries[at];
  if (found?.kind === 'ui-action') entries[at] = { ...found, isSent: true };
}

/** A model may use an id again: it is the last call of that id whose interface is another now. */
export function updateInterface(entries: Entry[], { toolCallId, mode, libs, surface, code }: UpdateEvent): void {
  const at = entries.findLastIndex((entry) => entry.kind === 'call' && entry.toolCallId === toolCallId);
  const found = entries[at];
  if (found?.kind !== 'call') return;
  const ui = { mode, libs, surface: surface === 'panel' ? 'panel' : 'inline' } as const;
  entries[at] = { ...found, ui: { ...found.ui, ...ui }, updatedCode: code };
}
