import type { HistoryMessage } from './history.ts';

/**
 * Gives each call an id that no other call of the history has, nor of those that were before it (`usedBefore`, asked when there
 * is a call). The provider's own is kept where it can be: some servers number from zero in each answer, send none, or use
 * characters that another provider refuses.
 */
export function createCallIds(
  history: readonly HistoryMessage[],
  usedBefore: () => Iterable<string> = () => [],
): (providerId: string) => string {
  const taken = new Set<string>();
  let isWhole = false;
  for (const message of history) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'tool-call') taken.add(part.toolCallId);
  }
  return (providerId) => {
    if (!isWhole) for (const id of usedBefore()) taken.add(id);
    isWhole = true;
    const base = providerId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'call';
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base.slice(0, 56)}_${count}`;
    taken.add(id);
    return id;
  };
}
