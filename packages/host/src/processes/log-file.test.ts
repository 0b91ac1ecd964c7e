import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLogFile, pluginLogPath } from './log-file.ts';

const newHome = (): string => mkdtempSync(join(tmpdir(), 'toolpost-log-'));

it('appends to a file of mode 0600 in a folder of mode 0700', () => {
  const path = pluginLogPath(newHome(), 'greeter');
  openLogFile(path).write('one\n');
  openLogFile(path).write(Buffer.from('two 😀\n'));
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo 😀\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

it('takes at most twice its limit of disk: one file and the one before it', () => {
  const path = join(newHome(), 'a.log');
  for (let index = 0; index < 50; index++) openLogFile(path, 100).write(`${String(index).padStart(9)}\n`);
  expect(statSync(path).size).toBeLessThanOrEqual(100);
  expect(readFileSync(`${path}.1`, 'utf8') + readFileSync(path, 'utf8')).toMatch(/40\n +41\n.* 49\n$/s);
  openLogFile(path, 100).write('x'.repeat(1000));
  expect(statSync(path).size).toBe(100);
});

it('goes on without a word when the log cannot be written', () => {
  const home = newHome();
  writeFileSync(join(home, 'logs'), 'a file where the folder should be');
  expect(() => openLogFile(pluginLogPath(home, 'x')).write('lost')).not.toThrow();
});

it('keeps the log of a plugin with an odd id in the folder of the logs', () => {
  expect(pluginLogPath('/home', '../../etc/passwd')).toBe('/home/logs/.._.._etc_passwd.log');
});
