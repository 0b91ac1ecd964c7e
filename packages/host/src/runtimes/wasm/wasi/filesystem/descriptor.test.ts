import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { FOLLOW, listNames, readText, withOpen, writeText } from '../fixtures/deeds.ts';
import { openGuestFiles, refusalOf } from '../fixtures/guest-files.ts';
import { IoError } from '../io/io-error.ts';
import type { Descriptor } from './descriptor.ts';
import { holdByDescriptor } from './hold-by-descriptor.ts';
import { holdByPath } from './hold-by-path.ts';

const CREATE = { create: true };
const READ_WRITE = { read: true, write: true };
const NO_CHANGE = { tag: 'no-change' } as const;

function at(seconds: bigint, nanoseconds = 0) {
  return { tag: 'timestamp', val: { seconds, nanoseconds } } as const;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

describe.each([
  ['descriptors', holdByDescriptor],
  ['paths', holdByPath],
])('files held by %s', (kind, hold) => {
  let path: string;
  let root: Descriptor;

  beforeEach(() => {
    path = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-files-')));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    root = openGuestFiles([{ path, isReadOnly: false }], { hold }).at(path);
  });

  test('reads and writes at offsets, and says when the end was reached', () => {
    withOpen(root, 'file', { openFlags: CREATE, flags: READ_WRITE }, (file) => {
      expect(file.write(Buffer.from('hello'), 2n)).toBe(5n);
      expect(file.read(4n, 0n)).toEqual([Buffer.from('\0\0he'), false]);
      expect(file.read(100n, 4n)).toEqual([Buffer.from('llo'), true]);
      expect(file.read(0n, 0n)[1]).toBe(false);
      file.setSize(3n);
      expect(file.stat()).toMatchObject({ type: 'regular-file', size: 3n, linkCount: 1n });
      expect(refusalOf(() => file.read(1n, 2n ** 63n))).toBe('invalid');
      expect(refusalOf(() => file.setSize(2n ** 63n))).toBe('file-too-large');
    });
  });

  test('streams read from an offset to the end, write from an offset, and append to the end', () => {
    writeFileSync(join(path, 'file'), 'one two');
    withOpen(root, 'file', { flags: READ_WRITE }, (file) => {
      const input = file.readViaStream(4n);
      expect(text(input.blockingRead(2n))).toBe('tw');
      expect(input.skip(1n)).toBe(1n);
      expect(refusalOf(() => input.read(1n))).toEqual({ tag: 'closed' });
      const append = file.appendViaStream();
      append.blockingWriteAndFlush(Buffer.from(' three'));
      // Another writer, whose bytes an append must not write over.
      writeFileSync(join(path, 'file'), ' four', { flag: 'a' });
      append.blockingWriteAndFlush(Buffer.from(' five'));
      const output = file.writeViaStream(0n);
      output.blockingWriteAndFlush(Buffer.from('O'));
      output.blockingWriteAndFlush(Buffer.from('NE'));
      for (const stream of [input, append, output]) stream[Symbol.dispose]();
    });
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('ONE two three four five');
  });

  test('a stream outlives the descriptor that it came from', () => {
    writeFileSync(join(path, 'file'), 'content');
    const input = withOpen(root, 'file', {}, (file) => file.readViaStream(0n));
    expect(text(input.blockingRead(100n))).toBe('content');
    input[Symbol.dispose]();
  });

  test('a failed write closes its stream, and its error has a code of the file system', () => {
    writeFileSync(join(path, 'file'), '');
    const { 'wasi:filesystem/types': types } = openGuestFiles([]).filesystem.interfaces;
    const input = withOpen(root, 'file', {}, (file) => file.readViaStream(0n));
    input[Symbol.dispose]();
    expect(refusalOf(() => input.read(1n))).toEqual({ tag: 'closed' });
    expect(types.filesystemErrorCode(new IoError('full', { filesystem: 'insufficient-space' }))).toBe(
      'insufficient-space',
    );
    expect(types.filesystemErrorCode(new IoError('lost', { http: 'connection-terminated' }))).toBeUndefined();
  });

  test('opens as it is asked to', () => {
    writeFileSync(join(path, 'file'), 'content');
    mkdirSync(join(path, 'folder'));
    const open = (name: string, openFlags = {}, flags: object = { read: true }) =>
      refusalOf(() => root.openAt(FOLLOW, name, openFlags, flags)[Symbol.dispose]());
    expect(open('file')).toBeUndefined();
    expect(open('none')).toBe('no-entry');
    expect(open('none/file', CREATE)).toBe('no-entry');
    expect(open('file', { create: true, exclusive: true })).toBe('exist');
    expect(open('file', { directory: true })).toBe('not-directory');
    expect(open('file/')).toBe('not-directory');
    expect(open('file/more')).toBe('not-directory');
    expect(open('folder', {}, { write: true })).toBe('is-directory');
    expect(open('new/', CREATE)).toBe('is-directory');
    expect(open('')).toBe('no-entry');
    expect(open('nul\0')).toBe('invalid');
    expect(open('n'.repeat(300))).toBe('name-too-long');
    expect(open('n/'.repeat(3000))).toBe('name-too-long');
    expect(open('./folder/../folder/.')).toBeUndefined();
    expect(open('file', { truncate: true }, { write: true })).toBeUndefined();
    expect(statSync(join(path, 'file')).size).toBe(0);
  });

  test('a descriptor does only what it was opened for', () => {
    writeFileSync(join(path, 'file'), 'content');
    withOpen(root, 'file', { flags: { write: true } }, (file) => {
      expect(refusalOf(() => file.read(1n, 0n))).toBe('bad-descriptor');
      expect(refusalOf(() => file.readViaStream(0n))).toBe('bad-descriptor');
      expect(refusalOf(() => file.readDirectory())).toBe('not-directory');
      expect(refusalOf(() => file.openAt({}, 'x', {}, {}))).toBe('not-directory');
      file.syncData();
      file.sync();
      file.advise();
    });
    expect(refusalOf(() => root.read(1n, 0n))).toBe('is-directory');
    expect(refusalOf(() => root.advise())).toBe('bad-descriptor');
    root.sync();
  });

  test('once dropped, nothing is left of it', () => {
    writeFileSync(join(path, 'file'), 'content');
    const file = root.openAt({}, 'file', {}, { read: true });
    const entries = root.readDirectory();
    for (const one of [file, entries, root]) one[Symbol.dispose]();
    expect(refusalOf(() => file.read(1n, 0n))).toBe('bad-descriptor');
    expect(refusalOf(() => file.stat())).toBe('bad-descriptor');
    expect(refusalOf(() => entries.readDirectoryEntry())).toBe('bad-descriptor');
    if (kind === 'descriptors') expect(refusalOf(() => root.stat())).toBe('bad-descriptor');
  });

  test('lists a directory of any size without . and ..', () => {
    for (let index = 0; index < 300; index += 1) writeFileSync(join(path, `file-${index}`), '');
    mkdirSync(join(path, 'folder'));
    expect(listNames(root).sort()).toEqual(readdirSync(path).sort());
    expect(withOpen(root, 'folder', {}, listNames)).toEqual([]);
  });

  test('makes and removes directories, files and links', () => {
    root.createDirectoryAt('folder/');
    writeText(root, 'folder/file', 'content');
    expect(refusalOf(() => root.createDirectoryAt('folder'))).toBe('exist');
    expect(refusalOf(() => root.removeDirectoryAt('folder'))).toBe('not-empty');
    expect(refusalOf(() => root.unlinkFileAt('folder'))).toBe('is-directory');
    expect(refusalOf(() => root.unlinkFileAt('folder/file/'))).toBe('not-directory');
    root.linkAt({}, 'folder/file', root, 'second');
    expect(root.statAt({}, 'second').linkCount).toBe(2n);
    root.symlinkAt('folder/file', 'link');
    expect(root.readlinkAt('link')).toBe('folder/file');
    root.linkAt(FOLLOW, 'link', root, 'third');
    expect(root.statAt({}, 'third')).toMatchObject({ type: 'regular-file', linkCount: 3n });
    expect(refusalOf(() => root.readlinkAt('second'))).toBe('invalid');
    expect(refusalOf(() => root.symlinkAt('x', 'none/'))).toBe('no-entry');
    expect(refusalOf(() => root.symlinkAt('/x', 'absolute'))).toBe('not-permitted');
    for (const name of ['folder/file', 'second', 'third', 'link']) root.unlinkFileAt(name);
    root.removeDirectoryAt('folder');
    expect(readdirSync(path)).toEqual([]);
  });

  test('renames, also over what is there', () => {
    writeText(root, 'one', '1');
    writeText(root, 'two', '2');
    root.createDirectoryAt('folder');
    root.renameAt('one', root, 'two');
    expect(readText(root, 'two')).toBe('1');
    root.renameAt('folder/', root, 'moved/');
    withOpen(root, 'moved', {}, (moved) => root.renameAt('two', moved, 'inner'));
    expect(readText(root, 'moved/inner')).toBe('1');
    expect(refusalOf(() => root.renameAt('none', root, 'x'))).toBe('no-entry');
    expect(refusalOf(() => root.renameAt('moved/inner/', root, 'x'))).toBe('not-directory');
    expect(refusalOf(() => root.renameAt('moved/inner', root, 'x/'))).toBe('not-directory');
    expect(refusalOf(() => root.renameAt('moved', root, 'moved/in'))).toBe('invalid');
  });

  test('sets times, of links too, and leaves those that it is not asked to change', () => {
    writeText(root, 'file', '');
    root.symlinkAt('file', 'link');
    root.setTimesAt({}, 'link', at(1000n), at(2000n));
    expect(root.statAt(FOLLOW, 'link').dataModificationTimestamp.seconds).toBeGreaterThan(2000n);
    root.setTimesAt(FOLLOW, 'link', at(3000n, 500_000_000), at(4000n));
    withOpen(root, 'file', {}, (file) => file.setTimes(NO_CHANGE, at(5000n)));
    expect(root.statAt({}, 'file')).toMatchObject({
      dataAccessTimestamp: { seconds: 3000n, nanoseconds: 500_000_000 },
      dataModificationTimestamp: { seconds: 5000n, nanoseconds: 0 },
    });
    root.setTimes(at(6000n), { tag: 'now' });
    expect(root.stat().dataAccessTimestamp.seconds).toBe(6000n);
    expect(refusalOf(() => root.setTimes(at(1n, 1_000_000_000), NO_CHANGE))).toBe('invalid');
  });

  test('the hash of a file is the same by every way, and changes with its content', () => {
    writeText(root, 'file', 'one');
    root.linkAt({}, 'file', root, 'same');
    const before = root.metadataHashAt({}, 'file');
    expect(root.metadataHashAt({}, 'same')).toEqual(before);
    writeText(root, 'file', 'longer');
    const after = root.metadataHashAt({}, 'file');
    expect(after.lower).toBe(before.lower);
    expect(after.upper).not.toBe(before.upper);
    withOpen(root, 'file', {}, (file) => {
      expect(file.metadataHash()).toEqual(after);
      expect(withOpen(root, 'same', {}, (same) => same.isSameObject(file))).toBe(true);
      expect(file.isSameObject(root)).toBe(false);
    });
  });

  test('a guest may hold 1,024 descriptors, and open the next when it drops one', () => {
    writeText(root, 'file', '');
    const open = () => root.openAt({}, 'file', {}, { read: true });
    const held: Descriptor[] = [];
    // The preopens are two.
    while (held.length < 1022) held.push(open());
    expect(refusalOf(open)).toBe('insufficient-memory');
    expect(refusalOf(() => root.readDirectory())).toBe('insufficient-memory');
    held.pop()?.[Symbol.dispose]();
    held.push(open());
    for (const file of held) file[Symbol.dispose]();
  });

  test.skipIf(process.platform !== 'linux')('no descriptor of the host is left, whatever is refused', () => {
    const count = () => readdirSync('/proc/self/fd').length;
    writeText(root, 'file', '');
    root.createDirectoryAt('folder');
    root.symlinkAt('../..', 'folder/out');
    const before = count();
    for (const name of ['file', 'folder', 'folder/out', 'folder/out/x', 'none', 'folder/../file/x', 'file/']) {
      refusalOf(() => withOpen(root, name, {}, (one) => refusalOf(() => listNames(one))));
      refusalOf(() => withOpen(root, name, { openFlags: CREATE, flags: { write: true } }, () => undefined));
      for (const act of [
        () => root.statAt(FOLLOW, name),
        () => root.renameAt(name, root, 'folder/out/y'),
        () => root.linkAt(FOLLOW, name, root, 'folder/out'),
        () => root.createDirectoryAt(name),
        () => root.removeDirectoryAt(name),
      ])
        refusalOf(act);
    }
    expect(count()).toBe(before);
  });

  test('a path deeper than 256 directories is refused before it takes as many descriptors', () => {
    let deep = '.';
    for (let level = 0; level < 5; level += 1) {
      deep = `${deep}/${'d/'.repeat(60)}`;
      mkdirSync(join(path, deep), { recursive: true });
    }
    expect(refusalOf(() => root.statAt({}, deep))).toBe('name-too-long');
    // Step by step it can be reached.
    const half = withOpen(root, deep.slice(0, 250), {}, (one) => one.statAt({}, '.').type);
    expect(half).toBe('directory');
  });
});
