import type { StoredSession } from '@toolpost/host';
import { columns } from './columns.ts';

/** One line a session: its id, when it was changed, whose it is, what it is about. */
export function sessionColumns(sessions: readonly StoredSession[]): string {
  const owners = sessions.map(ownerOf);
  const hasOwners = owners.some((owner) => owner !== '');
  const rows = sessions.map(({ session, title, updatedAt, openTurn }, index) => [
    ...[session.id, localTime(updatedAt)],
    ...(hasOwners ? [owners[index] ?? ''] : []),
    (title || '(nothing said yet)') + (openTurn?.isRunning ? ' (runs)' : ''),
  ]);
  return columns(rows, process.stdout.columns || Number.POSITIVE_INFINITY);
}

/** Empty for what a person began at this terminal. */
function ownerOf({ session: { id, tenant, user, channel, chatId } }: StoredSession): string {
  const place = channel === 'cli' && chatId === id ? '' : `${channel}:${chatId}`;
  return [tenant, user, place].filter((part) => part !== '').join(' ');
}

function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}
