import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createSessionStore } from '../sessions/create-session-store.ts';
import { createStoreHome, newSession } from '../sessions/fixtures/open-store.ts';
import { pageOf, type SessionPageOptions } from './session-pages.ts';

const homeDir = createStoreHome();
const store = createSessionStore(homeDir);
const database = new Database(join(homeDir, 'sessions.db'));
afterAll(() => {
  store.close();
  database.close();
  rmSync(homeDir, { recursive: true, force: true });
});

let made = 0;

/** Sessions that were changed at these times, of a tenant of their own; gives their titles, the last changed first. */
function createSessions(times: readonly number[], titleOf: (index: number) => string = (index) => `T${index}`) {
  const tenant = `t${made++}`;
  const change = database.prepare('UPDATE sessions SET updated_at = ? WHERE id = ?');
  for (const [index, time] of times.entries()) {
    const session = newSession({ tenant, chatId: String(index) });
    store.create(session, { title: titleOf(index) });
    change.run(time, session.id);
  }
  const order = times.map((time, index) => ({ time, index })).sort((a, b) => b.time - a.time || b.index - a.index);
  return { tenant, titles: order.map(({ index }) => titleOf(index)) };
}

function page(options: Omit<SessionPageOptions, 'filter'>, tenant: string) {
  const found = pageOf(store.list, { filter: { tenant }, ...options });
  if (!found) throw new Error('the cursor was not taken');
  return { titles: found.sessions.map(({ title }) => title), next: found.next };
}

function allPages(tenant: string, limit: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { titles, next } = page({ limit, cursor }, tenant);
    seen.push(...titles);
    cursor = next;
  } while (cursor !== undefined);
  return seen;
}

test('pages give every session once, in order, also where many were changed at one time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (times, limit) => {
      const { tenant, titles } = createSessions(times);
      expect(allPages(tenant, limit)).toEqual(titles);
    }),
    { numRuns: 40 },
  );
});

test('a session that was deleted since the page before takes none with it', () => {
  const { tenant, titles } = createSessions([3, 2, 1]);
  const first = page({ limit: 1 }, tenant);
  const [gone] = store.list({ tenant, limit: 1 });
  store.delete(gone?.session.id ?? '');
  expect([...first.titles, ...page({ limit: 9, cursor: first.next }, tenant).titles]).toEqual(titles);
});

test('a search finds titles that hold all its words, in any order and case, as full pages', () => {
  const { tenant } = createSessions(
    [1, 2, 3, 4],
    (index) => `Ärger mit ${index % 2 === 0 ? 'GERADE' : 'Ungerade'} ${index}`,
  );
  const first = page({ limit: 1, search: ' gerade  ärger ' }, tenant);
  expect(first.titles).toEqual(['Ärger mit Ungerade 3']);
  expect(page({ limit: 9, search: 'gerade ärger', cursor: first.next }, tenant).titles).toHaveLength(3);
  expect(page({ limit: 9, search: "100% '_" }, tenant)).toEqual({ titles: [], next: undefined });
});

test.each(['', 'x', '.', '12.', '.a', '1e3.a'])('takes %j for no cursor', (cursor) => {
  expect(pageOf(store.list, { filter: {}, limit: 1, cursor })).toBeUndefined();
});
