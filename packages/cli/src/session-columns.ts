import type { StoredSession } from '@toolpost/host';
import { columns } from './columns.ts';

/** A session as a list for people shows it. */
export interface SessionRow {
  readonly id: string;
  readonly tenant: string;
  readonly user: string;
  readonly channel: string;
  readonly chatId: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly isRunning: boolean;
}

export function toSessionRow({ session, title, updatedAt, openTurn }: StoredSession): SessionRow {
  const { id, tenant, user, channel, chatId } = session;
  return { id, tenant, user, channel, chatId, title, updatedAt, isRunning: openTurn?.isRunning === true };
}

/** One line a session: its id, when it was changed, whose it is, what it is about. */
export function sessionColumns(
  sessions: readonly SessionRow[],
  width = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  const owners = sessions.map(ownerOf);
  const hasOwners = owners.some((owner) => owner !== '');
  const rows = sessions.map(({ id, title, updatedAt, isRunning }, index) => [
    ...[id, localTime(updatedAt)],
    ...(hasOwners ? [owners[index] ?? ''] : []),
    (title || '(nothing said yet)') + (isRunning ? ' (runs)' : ''),
  ]);
  return columns(rows, width);
}

/** Empty for what a person began at this terminal. */
function ownerOf({ id, tenant, user, channel, chatId }: SessionRow): string {
  const place = channel === 'cli' && chatId === id ? '' : `${channel}:${chatId}`;
  return [tenant, user, place].filter((part) => part !== '').join(' ');
}

export function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}
