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

/** The beginning of a session's id, up to the millisecond in which it was made: `--resume` takes it. */
export const SHORT_ID_CHARS = 13;
const OWNER_CHARS = 16;

/**
 * One line a session: its id, when it was changed, whose it is, what it is about. Where a line has an end the id and the
 * owner are shortened, so that there is room for the title.
 */
export function sessionColumns(
  sessions: readonly SessionRow[],
  width = process.stdout.columns || Number.POSITIVE_INFINITY,
): string {
  const isNarrow = Number.isFinite(width);
  const idChars = isNarrow ? tellingChars(sessions.map(({ id }) => id)) : undefined;
  const owners = sessions.map((session) => shorten(ownerOf(session), isNarrow ? OWNER_CHARS : undefined));
  const hasOwners = owners.some((owner) => owner !== '');
  const rows = sessions.map(({ id, title, updatedAt, isRunning }, index) => [
    ...[id.slice(0, idChars), localTime(updatedAt)],
    ...(hasOwners ? [owners[index] ?? ''] : []),
    (title || '(nothing said yet)') + (isRunning ? ' (runs)' : ''),
  ]);
  return columns(rows, width);
}

/** So many characters of each id are that id's alone. */
function tellingChars(ids: readonly string[]): number {
  let chars = SHORT_ID_CHARS;
  const longest = Math.max(0, ...ids.map((id) => id.length));
  while (chars < longest && new Set(ids.map((id) => id.slice(0, chars))).size < ids.length) chars += 1;
  return chars;
}

function shorten(text: string, chars = text.length): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}

/** Empty for what a person began at this terminal; the name of a chat only where it was given one. */
function ownerOf({ id, tenant, user, channel, chatId }: SessionRow): string {
  const place = chatId === id ? (channel === 'cli' ? '' : channel) : `${channel}:${chatId}`;
  return [tenant, user, place].filter((part) => part !== '').join(' ');
}

export function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}
