import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createJournal, journalFile, today } from './journal.ts';
import { readJournal } from './read-journal.ts';

function newHome() {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-journal-'));
  onTestFinished(() => rmSync(homeDir, { recursive: true, force: true }));
  const journal = createJournal({ homeDir, redact: (text) => text, onProblem: () => undefined });
  const read = (tenant: string, user = '', limit = 100) => readJournal(homeDir, { tenant, user, limit });
  return { homeDir, journal, read };
}

test('a tenant reads its own calls, a user those of the user', async () => {
  const { journal, read } = newHome();
  journal.record('{"id":"1"}');
  journal.record('{"id":"2","user":"ann"}', 'acme');
  journal.record('{"id":"3"}', 'acme');
  journal.record('{"id":"4"}', 'Acme');
  journal.record('{"id":"5"}', '../acme');
  journal.close();
  expect(await read('')).toEqual([{ id: '1' }]);
  expect(await read('acme')).toEqual([{ id: '3' }]);
  expect(await read('acme', 'ann')).toEqual([{ id: '2', user: 'ann' }]);
  expect(await read('Acme')).toEqual([{ id: '4' }]);
  expect(await read('../acme')).toEqual([{ id: '5' }]);
  expect(await read('tenants')).toEqual([]);
});

test('the latest come, the newest last, and a damaged line is left out', async () => {
  const { homeDir, journal, read } = newHome();
  for (let id = 1; id <= 5; id++) journal.record(JSON.stringify({ id }));
  journal.close();
  appendFileSync(journalFile(homeDir, '', today()), '{"id":6\n{"id":7}\n');
  expect(await read('', '', 3)).toEqual([{ id: 4 }, { id: 5 }, { id: 7 }]);
});

test('a day without calls has none, and no file comes of it', async () => {
  const { homeDir, read } = newHome();
  expect(await read('acme')).toEqual([]);
  expect(existsSync(join(homeDir, 'journal'))).toBe(false);
});

test('the entries of one call are found by its id and session, however many calls there were since', async () => {
  const { homeDir, journal } = newHome();
  const entry = (id: string, session: string, note = '') => JSON.stringify({ id, session, note });
  journal.record(entry('call "1"', 'a', 'first'));
  journal.record(entry('call "1"', 'b'));
  for (let at = 0; at < 2000; at++) journal.record(entry(`other ${at}`, 'a'));
  journal.record(entry('other', 'a', 'call "1"'));
  journal.record(entry('call "1"', 'a', 'again'));
  journal.close();
  const found = await readJournal(homeDir, { tenant: '', user: '', sessionId: 'a', callId: 'call "1"', limit: 10 });
  expect(found.map(({ note }) => note)).toEqual(['first', 'again']);
});
