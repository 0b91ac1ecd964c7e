import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEEDS, FOLLOW, readText, withOpen } from '../fixtures/deeds.ts';
import { openGuestFiles, refusalOf } from '../fixtures/guest-files.ts';
import type { Descriptor } from './descriptor.ts';

const NOW = { tag: 'now' } as const;
const READING = new Set([
  'read',
  'stat-at',
  'metadata-hash-at',
  'list',
  'list by the descriptor',
  'read from the opened directory',
]);
const CHANGES = Object.entries(DEEDS).filter(([name]) => !READING.has(name));

let path: string;

beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-read-only-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  mkdirSync(join(path, 'kept/empty'), { recursive: true });
  for (const name of ['secret.txt', 'victim.txt']) writeFileSync(join(path, 'kept', name), 'kept');
  writeFileSync(join(path, 'own.txt'), 'own');
});

/** A root that may be changed, and one in it that may not. */
function openBoth(): { outer: Descriptor; kept: Descriptor } {
  const { at } = openGuestFiles([
    { path, isReadOnly: false },
    { path: join(path, 'kept'), isReadOnly: true },
  ]);
  return { outer: at(path), kept: at(join(path, 'kept')) };
}

test.each(CHANGES)('refuses to %s in a root that is read-only', (_, deed) => {
  const { outer, kept } = openBoth();
  const refusal = refusalOf(() => deed(outer, { from: kept, path: '' }));
  // There is no way to tell a hard link from the file that it shares: none goes from one root to another.
  expect(['read-only', 'cross-device']).toContain(refusal);
  expect(readFileSync(join(path, 'kept/victim.txt'), 'utf8')).toBe('kept');
});

test.each(CHANGES)('refuses to %s in such a root also by way of another root that contains it', (_, deed) => {
  const { outer } = openBoth();
  expect(refusalOf(() => deed(outer, { from: outer, path: 'kept' }))).toBe('read-only');
});

test.each([
  ['create', { create: true }, { read: true }],
  ['truncate', { truncate: true }, { read: true }],
  ['write', {}, { write: true }],
  ['mutate-directory', {}, { mutateDirectory: true }],
])('refuses to open with %s', (_, openFlags, flags) => {
  const { kept } = openBoth();
  expect(refusalOf(() => kept.openAt(FOLLOW, 'victim.txt', openFlags, flags))).toBe('read-only');
});

test('refuses new times and writes through descriptors that may read', () => {
  const { outer, kept } = openBoth();
  const before = statSync(join(path, 'kept')).mtimeMs;
  expect(refusalOf(() => kept.setTimes(NOW, NOW))).toBe('read-only');
  expect(refusalOf(() => outer.setTimesAt({}, 'kept', NOW, NOW))).toBe('read-only');
  withOpen(kept, 'victim.txt', {}, (file) => {
    expect(refusalOf(() => file.setTimes(NOW, NOW))).toBe('read-only');
    expect(refusalOf(() => file.write(new Uint8Array(1), 0n))).toBe('bad-descriptor');
    expect(refusalOf(() => file.setSize(0n))).toBe('bad-descriptor');
    expect(refusalOf(() => file.writeViaStream(0n))).toBe('bad-descriptor');
    expect(refusalOf(() => file.appendViaStream())).toBe('bad-descriptor');
  });
  expect(statSync(join(path, 'kept')).mtimeMs).toBe(before);
});

test('keeps its name: it can be neither renamed nor replaced', () => {
  const { outer } = openBoth();
  outer.createDirectoryAt('other');
  expect(refusalOf(() => outer.renameAt('kept', outer, 'moved'))).toBe('busy');
  expect(refusalOf(() => outer.renameAt('other', outer, 'kept'))).toBe('busy');
  expect(refusalOf(() => outer.removeDirectoryAt('kept'))).toBe('busy');
});

test('keeps the way to it: a folder around it can be neither renamed nor replaced', () => {
  mkdirSync(join(path, 'around/kept'), { recursive: true });
  mkdirSync(join(path, 'empty'));
  const { at } = openGuestFiles([
    { path, isReadOnly: false },
    { path: join(path, 'around/kept'), isReadOnly: true },
  ]);
  const outer = at(path);
  expect(refusalOf(() => outer.renameAt('around', outer, 'moved'))).toBe('busy');
  expect(refusalOf(() => outer.renameAt('empty', outer, 'around'))).toBe('busy');
});

test('can be read, and says that it cannot be changed', () => {
  const { kept } = openBoth();
  expect(readText(kept, 'victim.txt')).toBe('kept');
  expect(kept.getFlags()).toEqual({ read: true, mutateDirectory: false });
});
