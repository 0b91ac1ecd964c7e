import { chmodSync, closeSync, openSync } from 'node:fs';
import { HostError } from '@toolpost/protocol';
import Database from 'better-sqlite3';
import { MIGRATIONS } from './migrations.ts';
import { toStoreError } from './store-error.ts';

/** "Tool" in ASCII: tells our database from another program's, whatever its name is. */
const APPLICATION_ID = 0x546f6f6c;
/** Transactions take a few milliseconds; one that waits longer waits for a process that is stopped. */
const BUSY_TIMEOUT_MS = 5000;
const MAX_WAL_ATTEMPTS = 100;
const WAL_DELAY_MS = 20;
export const IN_MEMORY = ':memory:';

/**
 * Opens the database and brings it to today's tables. A file that is damaged, newer than this program or another
 * program's is left exactly as it is.
 * @throws HostError SESSION_STORE_FAILED with the remedy.
 */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    if (path !== IN_MEMORY) makePrivate(path);
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    assertOurs(database, path);
    logAhead(database);
    // What is committed survives a kill of this process in either mode; with NORMAL no commit waits for the disk.
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    // A session that is deleted is gone from the file too.
    database.pragma('secure_delete = FAST');
    migrate(database, path);
    // A file that may only be read opens all the same; it fails here and not in the middle of a turn.
    database.transaction(() => {}).immediate();
    return database;
  } catch (error) {
    database?.close();
    throw toStoreError(asLoadFailure(error), path);
  }
}

/** SQLite gives the files beside it (`-wal`, `-shm`) the mode of the database. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  } catch {
    // SQLite says better what is wrong with it.
  }
}

function assertOurs(database: Database.Database, path: string): void {
  const applicationId = database.pragma('application_id', { simple: true });
  if (applicationId === APPLICATION_ID) {
    assertNotNewer(database, path);
    return;
  }
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (applicationId === 0 && tables === 0) return;
  const remedy = 'move it away, or choose another home with TOOLPOST_HOME';
  throw new HostError('SESSION_STORE_FAILED', `${path} is the database of another program: ${remedy}`);
}

function assertNotNewer(database: Database.Database, path: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version <= MIGRATIONS.length) return;
  throw new HostError(
    'SESSION_STORE_FAILED',
    `the sessions database ${path} was made by a newer Toolpost (version ${version} of its tables, this one knows ${MIGRATIONS.length}): update Toolpost, or choose another home with TOOLPOST_HOME`,
  );
}

/** SQLite does not wait by itself while another process makes the same change. */
function logAhead(database: Database.Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || attempt === MAX_WAL_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_DELAY_MS);
    }
  }
}

/** Two hosts may start on a new home at once: who comes second finds the work done. */
function migrate(database: Database.Database, path: string): void {
  const stepsLeft = () => MIGRATIONS.slice(Number(database.pragma('user_version', { simple: true })));
  if (stepsLeft().length === 0) return;
  database
    .transaction(() => {
      assertNotNewer(database, path);
      for (const step of stepsLeft()) database.exec(step);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

/** The binary part of better-sqlite3 is there for the usual platforms only. */
function asLoadFailure(error: unknown): unknown {
  const { code } = Object(error) as { code?: unknown };
  if (code !== 'ERR_DLOPEN_FAILED' && code !== 'MODULE_NOT_FOUND') return error;
  return new HostError(
    'SESSION_STORE_FAILED',
    `sessions cannot be kept: better-sqlite3 does not load on ${process.platform} ${process.arch} (${String(error)}). Install it again with \`npm rebuild better-sqlite3\``,
    { cause: error },
  );
}
