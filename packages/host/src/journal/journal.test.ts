import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createJournal } from './journal.ts';

const TODAY = () => `${new Date().toISOString().slice(0, 10)}.jsonl`;

function newJournal(redact = (text: string) => text) {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-journal-'));
  const problems: string[] = [];
  const journal = createJournal({ homeDir, redact, onProblem: (message) => void problems.push(message) });
  const folder = join(homeDir, 'journal');
  return { journal, homeDir, folder, problems, read: () => readFileSync(join(folder, TODAY()), 'utf8') };
}

describe('journal', () => {
  test('is a private file of one line a call, redacted', () => {
    const { journal, folder, read } = newJournal((text) => text.replaceAll('sesame', '***'));
    journal.record('{"id":"1"}');
    journal.record('{"id":"sesame"}');
    journal.close();
    expect(read()).toBe('{"id":"1"}\n{"id":"***"}\n');
    expect(statSync(join(folder, TODAY())).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('a line is on the disk within 100 ms', async () => {
    const { journal, homeDir, folder, read } = newJournal();
    mkdirSync(folder);
    const written = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        watcher.close();
        resolve();
      });
    });
    const recordedMs = performance.now();
    journal.record('{"id":"1"}');
    await written;
    // The clock of a busy machine adds to it.
    expect(performance.now() - recordedMs).toBeLessThan(1000);
    expect(read()).toBe('{"id":"1"}\n');
    expect(homeDir).not.toBe('');
  });

  test('what was recorded right before the process exits, or dies of an error, is kept', async () => {
    const source = fileURLToPath(new URL('./journal.ts', import.meta.url));
    for (const end of ['process.exit(3)', 'throw new Error("bug")', '']) {
      const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-journal-'));
      const script = `
        const { createJournal } = await import(${JSON.stringify(source)});
        const journal = createJournal({ homeDir: ${JSON.stringify(homeDir)}, redact: (text) => text, onProblem() {} });
        for (let id = 0; id < 1000; id++) journal.record(JSON.stringify({ id }));
        ${end}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
      await new Promise((resolve) => child.once('close', resolve));
      const lines = readFileSync(join(homeDir, 'journal', TODAY()), 'utf8')
        .trimEnd()
        .split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(
        Array.from({ length: 1000 }, (_, id) => id),
      );
    }
  });

  test('a folder that cannot be written costs one warning, and no call', () => {
    const { journal, homeDir, problems } = newJournal();
    writeFileSync(join(homeDir, 'journal'), 'a file stands here');
    for (let time = 0; time < 3; time++) {
      journal.record('{"id":"1"}');
      journal.flush();
    }
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(join(homeDir, 'journal'));
  });

  test('an earlier file that others may read is not made by us, and is appended to', () => {
    const { journal, folder, read } = newJournal();
    mkdirSync(folder);
    writeFileSync(join(folder, TODAY()), '{"id":"0"}\n');
    chmodSync(join(folder, TODAY()), 0o600);
    journal.record('{"id":"1"}');
    journal.close();
    expect(read()).toBe('{"id":"0"}\n{"id":"1"}\n');
  });

  test('twenty open journals add one listener to the process, and closed ones none', () => {
    const before = process.listenerCount('exit');
    const journals = Array.from({ length: 20 }, () => newJournal().journal);
    expect(process.listenerCount('exit')).toBeLessThanOrEqual(before + 1);
    for (const journal of journals) journal.close();
    expect(process.listenerCount('exit')).toBe(before);
  });
});
