import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionStore } from './create-session-store.ts';
import { exportSession } from './export-session.ts';
import { createStoreHome, event, newSession, says } from './fixtures/open-store.ts';
import { MIGRATIONS } from './migrations.ts';
import { readLog } from './read-log.ts';
import type { SessionStore } from './session-store.ts';

let homeDir: string;
let store: SessionStore;
beforeEach(() => {
  homeDir = createStoreHome();
  store = createSessionStore(homeDir);
});
afterEach(() => {
  store.close();
  rmSync(homeDir, { recursive: true, force: true });
});

function draws(code: string, toolCallId = 'c'): EventBody {
  return { type: 'ui-delta', toolCallId, mode: 'genui', libs: ['three'], surface: 'panel', code };
}

function append(sessionId: string, bodies: readonly EventBody[]): readonly ToolpostEvent[] {
  return store.append([{ sessionId, entries: bodies.map((body) => event(body)) }]).flatMap((one) => {
    if ('error' in one) throw one.error;
    return one.events;
  });
}

function logOf(id: string, from: SessionStore = store): ToolpostEvent[] {
  return [...readLog((page) => from.events(id, page))];
}

const START: EventBody = { type: 'tool-call-start', toolCallId: 'c', name: 'draw', plugin: 'p', arguments: '{}' };
const END: EventBody = { type: 'turn-end', text: '', reason: 'completed' };
const growing = (count: number) =>
  Array.from({ length: count }, (_, index) => draws('line of code\n'.repeat(index + 1)));

describe('the codes of a log', () => {
  it('come back as they were appended, from any place in the log, in pages of any size, for the next host too', () => {
    const bodies = fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('a', 'b'), fc.string({ unit: 'binary', maxLength: 20 }))
          .map(([id, code]) => draws(code, id)),
        fc.constantFrom<EventBody>({ type: 'text-delta', text: 'x' }, { ...START, toolCallId: 'a' }, END),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(bodies, fc.nat(30), fc.integer({ min: 1, max: 7 }), (given, afterSeq, limit) => {
        const session = newSession();
        store.create(session);
        const appended = given.flatMap((body) => append(session.id, [body]));
        const read = [...readLog((page) => store.events(session.id, { ...page, limit }), afterSeq)];
        expect(read).toEqual(appended.slice(afterSeq));
        expect(read.map(({ sessionId: _id, seq: _seq, at: _at, ...body }) => body)).toEqual(given.slice(afterSeq));
      }),
      { numRuns: 60 },
    );
  });

  it('take the room of what was written, not of each state of it', () => {
    const session = newSession();
    store.create(session);
    append(session.id, growing(500));
    store.close();
    const database = new Database(join(homeDir, 'sessions.db'));
    const [added] = database.prepare('SELECT sum(length(added)) FROM drawn_code').raw().get() as [number];
    const [bodies] = database.prepare('SELECT max(length(body)) FROM events').raw().get() as [number];
    database.close();
    // Quotes and the escape of each line's end come on top.
    expect(added).toBe(500 * ('line of code\\n'.length + 2));
    expect(bodies).toBeLessThan(150);
    store = createSessionStore(homeDir);
    expect(logOf(session.id).at(-1)).toMatchObject({ code: 'line of code\n'.repeat(500) });
  });

  it('may be changed before their end', () => {
    const session = newSession();
    store.create(session);
    const codes = ['ab', 'abc \u{1F600}', 'abc \u{1F680}', '', 'x'];
    append(
      session.id,
      codes.map((code) => draws(code)),
    );
    expect(logOf(session.id).map((one) => ('code' in one ? one.code : ''))).toEqual(codes);
  });

  it('go on where another host, or a host that was started again, has begun', () => {
    const session = newSession();
    store.create(session);
    append(session.id, growing(3));
    const other = createSessionStore(homeDir);
    other.append([{ sessionId: session.id, entries: [event(draws('other'))] }]);
    append(session.id, [draws('line of code\nmine')]);
    const codes = logOf(session.id, other).map((one) => ('code' in one ? one.code : ''));
    other.close();
    expect(codes.slice(2)).toEqual(['line of code\n'.repeat(3), 'other', 'line of code\nmine']);
  });

  it('begin anew after what could not be stored', () => {
    const session = newSession();
    store.create(session);
    append(session.id, [draws('ab')]);
    const broken = { ...draws('abcd'), libs: [1n as unknown as string] } as EventBody;
    expect(() => append(session.id, [draws('abc'), broken])).toThrow('BigInt');
    append(session.id, [draws('abcde')]);
    expect(logOf(session.id).map((one) => ('code' in one ? one.code : ''))).toEqual(['ab', 'abcde']);
  });

  it('are in exports and copies, and gone with their session', async () => {
    const session = newSession();
    store.create(session);
    append(session.id, [...growing(3), START]);
    const { session: copy } = await store.fork(session.id, newSession().id);
    append(copy.id, [draws('a copy goes on')]);
    const stored = store.get(copy.id);
    if (!stored) return expect.unreachable();
    const exported = JSON.parse([...exportSession(store, stored, 'json')].join(''));
    expect(exported.events[2]).toMatchObject({ type: 'ui-delta', seq: 3, code: 'line of code\n'.repeat(3) });
    expect(exported.events.at(-1).code).toBe('a copy goes on');
    store.delete(session.id);
    expect(logOf(copy.id)).toHaveLength(5);
    store.delete(copy.id);
    store.close();
    const database = new Database(join(homeDir, 'sessions.db'));
    const [rows] = database.prepare('SELECT count(*) FROM drawn_code').raw().get() as [number];
    database.close();
    store = createSessionStore(homeDir);
    expect(rows).toBe(0);
  });

  it('of a database that was made before are read as they stand there', () => {
    store.close();
    rmSync(join(homeDir, 'sessions.db'));
    const session = newSession();
    const database = new Database(join(homeDir, 'sessions.db'));
    for (const step of MIGRATIONS.slice(0, 3)) database.exec(step);
    database.exec('PRAGMA application_id = 1416589164; PRAGMA user_version = 3');
    database
      .prepare("INSERT INTO sessions VALUES (1, ?, '', 'cli', 'c', '', '[]', 't', NULL, 'e', 1, 1, 1, NULL, NULL)")
      .run(session.id);
    database.prepare('INSERT INTO events VALUES (1, 1, 5, ?)').run(JSON.stringify(draws('old')));
    database.close();
    store = createSessionStore(homeDir);
    append(session.id, [draws('old and new'), { type: 'text-delta', text: 'x' }]);
    expect(logOf(session.id).map((one) => ('code' in one ? one.code : ''))).toEqual(['old', 'old and new', '']);
  });

  it('are read in the time of one look at each, however far behind the reader is', () => {
    const session = newSession();
    store.create(session);
    for (let index = 0; index < 40; index++) append(session.id, [draws('x'.repeat(10_000 * (index + 1)))]);
    append(
      session.id,
      Array.from({ length: 100 }, () => ({ type: 'text-delta' as const, text: 'y' })),
    );
    const pages = [store.events(session.id, { afterSeq: 39 }), store.events(session.id, { afterSeq: 30 })];
    expect(pages[0]?.[0]).toMatchObject({ seq: 40, code: 'x'.repeat(400_000) });
    // A page ends at about a megabyte of what it gives.
    expect(pages[1]?.length).toBe(4);
    expect(store.append([{ sessionId: session.id, entries: [says('end')] }])).toMatchObject([
      { events: [{ seq: 141 }] },
    ]);
  });
});
