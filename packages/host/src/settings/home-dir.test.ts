import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openHomeDir } from './home-dir.ts';
import { writePrivateFile } from './write-private-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-home-'));
});
const mode = (path: string) => statSync(path).mode & 0o777;

describe('the home directory', () => {
  test('is the one that TOOLPOST_HOME names, made for its owner alone', async () => {
    const homeDir = join(dir, 'a', 'b');
    expect(await openHomeDir({ TOOLPOST_HOME: homeDir })).toBe(homeDir);
    expect(mode(homeDir)).toBe(0o700);
  });

  test('keeps its mode when it is there already', async () => {
    chmodSync(dir, 0o755);
    await openHomeDir({ TOOLPOST_HOME: dir });
    expect(mode(dir)).toBe(0o755);
  });

  test('that is a file is named, with where the name comes from', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    await expect(openHomeDir({ TOOLPOST_HOME: file })).rejects.toThrow(/file cannot be used \(from TOOLPOST_HOME\)/);
  });
});

describe('a private file', () => {
  test('is readable by its owner alone, and so is a folder made for it', () => {
    const path = join(dir, 'cache', 'entry.json');
    writePrivateFile(path, 'one');
    writePrivateFile(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect([mode(path), mode(join(dir, 'cache'))]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(dir, 'cache'))).toEqual(['entry.json']);
  });

  test('that cannot take its place leaves nothing behind', () => {
    expect(() => writePrivateFile(dir, 'x')).toThrow();
    expect(
      readdirSync(join(dir, '..')).filter((name) => name.startsWith(dir.slice(dir.lastIndexOf('/') + 1))),
    ).toHaveLength(1);
  });
});
