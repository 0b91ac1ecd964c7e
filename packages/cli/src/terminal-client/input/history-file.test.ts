import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openHistoryFile } from './history-file.ts';

let home = '';
const file = () => join(home, 'chat-history.jsonl');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolpost-history-'));
});

describe('the file of what was sent', () => {
  it('gives what was kept in its order, whatever is in it, and is the user\u2019s own', () => {
    const { append } = openHistoryFile(home);
    for (const text of ['one', 'two\nrows "quoted" \u001b[2J', '漢👩\u200d👧']) append(text);
    expect(openHistoryFile(home).read()).toEqual(['one', 'two\nrows "quoted" \u001b[2J', '漢👩\u200d👧']);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('leaves out lines that are damaged', () => {
    writeFileSync(file(), '"one"\n{"two"\nnull\n"three"\n"fo');
    expect(openHistoryFile(home).read()).toEqual(['one', 'three']);
  });

  it('stays bounded, and keeps the newest', () => {
    const history = openHistoryFile(home);
    for (let index = 0; index < 4000; index++) history.append(`${index} ${'x'.repeat(500)}`);
    history.append('y'.repeat(100_000));
    const size = readdirSync(home).reduce((sum, name) => sum + statSync(join(home, name)).size, 0);
    expect(size).toBeLessThan(1_200_000);
    const read = history.read();
    expect([read.length, read.at(-1)?.slice(0, 5)]).toEqual([1000, '3999 ']);
  });

  it('is moved aside again after a process was killed in the middle of it', () => {
    writeFileSync(file(), `"${'x'.repeat(600_000)}"\n`);
    const history = openHistoryFile(home);
    mkdirSync(`${file()}.lock`);
    history.append('one');
    expect(readdirSync(home)).not.toContain('chat-history.jsonl.1');
    utimesSync(`${file()}.lock`, 0, 0);
    history.append('two');
    expect(readdirSync(home)).toEqual(['chat-history.jsonl.1']);
    expect(history.read().slice(-2)).toEqual(['one', 'two']);
  });

  it('loses nothing of two processes that write at once', async () => {
    const writers = ['a', 'b'].map((name) => fork(new URL('fixtures/write-history.ts', import.meta.url), [home, name]));
    await Promise.all(writers.map((writer) => new Promise((resolve) => writer.once('exit', resolve))));
    const read = openHistoryFile(home).read();
    for (const name of ['a', 'b'])
      expect(read.filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: 300 }, (_, n) => `${name}${n}`),
      );
  });

  it('is no reason to fail where it cannot be written', () => {
    const nowhere = openHistoryFile(join(home, 'not-there'));
    nowhere.append('one');
    expect(nowhere.read()).toEqual([]);
  });
});
