import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionFilter, StoredSession } from '../sessions/session-store.ts';
import { pageOf } from './session-pages.ts';

/** A list as the store gives it, of sessions that were changed at these times. */
function listOf(times: readonly number[]) {
  const all = times.map(
    (updatedAt, index) => ({ updatedAt, title: `T${index}`, session: { id: `s${index}` } }) as unknown as StoredSession,
  );
  const sorted = all.toSorted((a, b) => b.updatedAt - a.updatedAt || all.indexOf(b) - all.indexOf(a));
  const list = ({ before = Number.POSITIVE_INFINITY, limit = 100 }: SessionFilter) =>
    sorted.filter(({ updatedAt }) => updatedAt < before).slice(0, limit);
  return { list, ids: sorted.map(({ session }) => session.id) };
}

test('pages give every session once, in order, also where many were changed at one time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 700 }), fc.integer({ min: 1, max: 300 }), (times, limit) => {
      const { list, ids } = listOf(times);
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = pageOf(list, { filter: {}, limit, cursor });
        if (!page) throw new Error('the cursor was not taken');
        seen.push(...page.sessions.map(({ session }) => session.id));
        cursor = page.next;
        if (cursor === undefined) break;
      }
      expect(seen).toEqual(ids);
    }),
    { numRuns: 60 },
  );
});

test.each([10, 250])('pages of %i give every session once where thousands were changed at one time', (limit) => {
  const { list, ids } = listOf(Array.from({ length: 2500 }, (_, index) => (index < 1500 ? 7 : 3)));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(list, { filter: {}, limit, cursor });
    seen.push(...(page?.sessions ?? []).map(({ session }) => session.id));
    cursor = page?.next;
  } while (cursor !== undefined && seen.length <= ids.length);
  expect(seen).toEqual(ids);
});

test('a search that finds nothing ends, also where thousands were changed at one time', () => {
  const { list } = listOf(Array.from({ length: 2500 }, () => 7));
  expect(pageOf(list, { filter: {}, limit: 3, search: 'nothing' })).toEqual({ sessions: [] });
});

test('a search gives full pages of what it finds', () => {
  const { list } = listOf(Array.from({ length: 500 }, (_, index) => index));
  const page = pageOf(list, { filter: {}, limit: 3, search: 't49' });
  expect(page?.sessions.map(({ title }) => title)).toEqual(['T499', 'T498', 'T497']);
  expect(page?.next).toBe('497.s497');
});
