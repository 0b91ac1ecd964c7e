import { HostError } from '@toolpost/protocol';

/** What each kind of SQLite's failures means to the operator, by the start of its code. */
const MEANINGS: readonly (readonly [code: RegExp, meaning: string])[] = [
  [/^SQLITE_FULL/, 'the disk is full: make room, then try again'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'it is damaged or no database: move it away to start with an empty one, or restore it'],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'it may not be written: give yourself the right to write it and its folder'],
  [/^SQLITE_CANTOPEN/, 'it cannot be opened: check that it is a file, and that you may write its folder'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process keeps it locked: end that process, or wait for it'],
  [/^SQLITE_IOERR/, 'the disk does not take or give data: check it, and that there is room'],
];

/** A failure of the database in words for the operator; what is no failure of the database passes through. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof HostError) return error;
  const code = codeOf(error);
  if (!code.startsWith('SQLITE_')) return error;
  const meaning = MEANINGS.find(([start]) => start.test(code))?.[1];
  const said = `${code}: ${error instanceof Error ? error.message : ''}`;
  const why = meaning === undefined ? said : `${meaning} (${said})`;
  return new HostError('SESSION_STORE_FAILED', `the sessions database ${path} does not work: ${why}`, { cause: error });
}

/** Does the work; a failure of the database is thrown in words for the operator. */
export function withStoreErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Whether a row was refused because another has its id or its key. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE';
}

/** Drizzle wraps what the driver throws. */
function codeOf(error: unknown): string {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}
