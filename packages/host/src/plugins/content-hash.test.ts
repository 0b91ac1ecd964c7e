import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { contentHash } from './content-hash.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-hash-'));
});

function write(path: string, content: string | Uint8Array): string {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The hashes before and after a change. */
function around(change: () => void): [string | undefined, string | undefined] {
  const before = contentHash(dir);
  change();
  return [before, contentHash(dir)];
}

function expectChange(change: () => void): void {
  const [before, after] = around(change);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(after).not.toBe(before);
}

function expectNoChange(change: () => void): void {
  const [before, after] = around(change);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(after).toBe(before);
}

describe('the hash of a folder', () => {
  const name = fc.stringMatching(/^[a-c]{1,2}$/);
  const tree = fc.dictionary(
    fc.tuple(name, name).map(([folder, file]) => `${folder}/${file}`),
    fc.uint8Array({ minLength: 1 }),
    {
      minKeys: 1,
      noNullPrototype: true,
    },
  );

  test('changes with any one byte of any file', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (files, which, where, flip) => {
        rmSync(dir, { recursive: true });
        for (const [path, bytes] of Object.entries(files)) write(path, bytes);
        const paths = Object.keys(files);
        const path = paths[which % paths.length] ?? '';
        const bytes = Uint8Array.from(files[path] ?? []);
        const index = where % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        expectChange(() => write(path, bytes));
      }),
      { numRuns: 60 },
    );
  });

  test('differs when the same bytes are cut into other files', () => {
    write('a', '1');
    write('b', '2file');
    expectChange(() => {
      write('a', '12');
      write('b', 'file');
    });
  });

  test('changes when a file or an empty folder comes, goes, or is renamed', () => {
    write('main.py', 'x');
    expectChange(() => write('more.py', ''));
    expectChange(() => renameSync(join(dir, 'more.py'), join(dir, 'other.py')));
    expectChange(() => rmSync(join(dir, 'other.py')));
    expectChange(() => mkdirSync(join(dir, 'empty')));
  });

  test('stays when the folder moves or a file is written again', () => {
    write('a/main.py', 'x');
    write('b/main.py', 'x');
    utimesSync(join(dir, 'b', 'main.py'), 1, 1);
    expect(contentHash(join(dir, 'a'))).toBe(contentHash(join(dir, 'b')));
  });

  test('leaves out what is no source: .git, __pycache__ and the data folder at the top', () => {
    write('main.py', 'x');
    expectNoChange(() => {
      write('.git/HEAD', 'x');
      write('__pycache__/main.pyc', 'x');
      write('data/storage.json', 'x');
    });
    expectChange(() => write('lib/data/table.json', 'x'));
  });

  test('takes the lock file for the installed packages', () => {
    write('node_modules/a/index.js', 'x');
    write('node_modules/.package-lock.json', '{"a":1}');
    expectNoChange(() => write('node_modules/a/index.js', 'y'));
    expectChange(() => write('node_modules/.package-lock.json', '{"a":2}'));
  });

  test('without a lock file sees packages come and go', () => {
    write('node_modules/a/index.js', 'x');
    expectChange(() => write('node_modules/b/index.js', 'x'));
  });

  test('counts a link by where it leads, and sees what is there change', () => {
    write('../linked.py', 'x');
    symlinkSync('../linked.py', join(dir, 'main.py'));
    expectChange(() => write('../linked.py', 'xy'));
    expectChange(() => {
      rmSync(join(dir, 'main.py'));
      symlinkSync('../other.py', join(dir, 'main.py'));
    });
  });

  test('counts a file above 1 MiB by size and time', () => {
    const file = write('model.bin', '');
    truncateSync(file, 64 * 1024 * 1024);
    expectNoChange(() => contentHash(dir));
    expectChange(() => utimesSync(file, 5, 5));
  });

  test('is unknown when there are too many files, and when there is no folder', () => {
    mkdirSync(join(dir, 'many'));
    for (let i = 0; i <= 10_000; i++) mkdirSync(join(dir, 'many', String(i)));
    expect(contentHash(dir)).toBeUndefined();
    expect(contentHash(join(dir, 'none'))).toBeUndefined();
  });
});

test('the hash of one file changes with it alone', () => {
  const file = write('note.wasm', 'x');
  const before = contentHash(file);
  write('other.wasm', 'x');
  expect(contentHash(file)).toBe(before);
  write('note.wasm', 'y');
  expect(contentHash(file)).not.toBe(before);
});
