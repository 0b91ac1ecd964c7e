import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const dir = mkdtempSync(path.join(tmpdir(), 'toolpost exclusive '));
const module = pathToFileURL(path.join(path.dirname(fileURLToPath(import.meta.url)), '../scripts/exclusive.js')).href;

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a process that writes `in` and `out` to the log around some work done under the lock. */
function startWork(lock: string, log: string) {
  const code = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as wait } from 'node:timers/promises';
    import { exclusive } from ${JSON.stringify(module)};
    await exclusive(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ');
      await wait(150);
      appendFileSync(${JSON.stringify(log)}, 'out ');
    }, () => console.log('waiting'));`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
}

async function work(lock: string, log: string): Promise<void> {
  await startWork(lock, log);
}

it('lets several set-ups of one repository run one after the other', async () => {
  const [lock, log] = [path.join(dir, 'a/lock'), path.join(dir, 'a.log')];
  await Promise.all([work(lock, log), work(lock, log), work(lock, log), work(lock, log)]);
  expect(readFileSync(log, 'utf8')).toBe('in out in out in out in out ');
  expect(existsSync(lock)).toBe(false);
});

it('says once that it waits, and does nothing until the other is done', async () => {
  const [lock, log] = [path.join(dir, 'held'), path.join(dir, 'held.log')];
  writeFileSync(lock, `${process.pid} ${hostname()}`);
  const waiting = startWork(lock, log);
  await once(waiting.child.stdout as NodeJS.ReadableStream, 'data');
  expect(existsSync(log)).toBe(false);
  rmSync(lock);
  expect((await waiting).stdout).toBe('waiting\n');
  expect(readFileSync(log, 'utf8')).toBe('in out ');
});

it('takes over from a set-up that was killed', async () => {
  const [lock, log] = [path.join(dir, 'lock-of-the-dead'), path.join(dir, 'b.log')];
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'process.pid']);
  writeFileSync(lock, `${stdout.trim()} ${hostname()}`);
  await Promise.all([work(lock, log), work(lock, log)]);
  expect(readFileSync(log, 'utf8')).toBe('in out in out ');
});

it('releases the lock when the work fails', async () => {
  const lock = path.join(dir, 'c');
  const { exclusive }: { exclusive(file: string, work: () => Promise<never>, onWait: () => void): Promise<never> } =
    await import(module);
  await expect(
    exclusive(
      lock,
      () => Promise.reject(new Error('offline')),
      () => {},
    ),
  ).rejects.toThrow('offline');
  expect(existsSync(lock)).toBe(false);
});
