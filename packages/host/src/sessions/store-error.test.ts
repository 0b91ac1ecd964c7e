import { HostError } from '@toolpost/protocol';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { toStoreError, withStoreErrors } from './store-error.ts';

const failure = (code: string) => new Database.SqliteError('as SQLite says it', code);

describe('a failure of the database', () => {
  it.each([
    ['SQLITE_FULL', 'the disk is full: make room'],
    ['SQLITE_CORRUPT_VTAB', 'move it away to start with an empty one'],
    ['SQLITE_READONLY_DBMOVED', 'give yourself the right to write it'],
    ['SQLITE_BUSY_SNAPSHOT', 'another process keeps it locked'],
    ['SQLITE_IOERR_WRITE', 'check it, and that there is room'],
    ['SQLITE_MISUSE', 'SQLITE_MISUSE: as SQLite says it'],
  ])('%s says where and what to do', (code, remedy) => {
    const error = toStoreError(failure(code), '/home/sessions.db');
    expect(error).toMatchObject({ code: 'SESSION_STORE_FAILED', cause: { code } });
    expect((error as HostError).message).toContain('/home/sessions.db');
    expect((error as HostError).message).toContain(remedy);
  });

  it('is found in what drizzle throws', () => {
    const wrapped = new Error('Failed to run the query', { cause: failure('SQLITE_FULL') });
    expect(toStoreError(wrapped, 'p')).toMatchObject({ code: 'SESSION_STORE_FAILED' });
  });

  it('is told from what is wrong otherwise', () => {
    const bug = new TypeError('a bug');
    const missing = new HostError('SESSION_NOT_FOUND', 'gone');
    for (const error of [bug, missing]) {
      expect(() =>
        withStoreErrors('p', () => {
          throw error;
        }),
      ).toThrow(error);
    }
  });
});
