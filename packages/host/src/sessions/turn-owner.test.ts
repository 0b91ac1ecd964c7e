import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTurnOwner } from './turn-owner.ts';

const module = fileURLToPath(new URL('./turn-owner.ts', import.meta.url));
const PROGRAM = `
const { createTurnOwner } = await import(process.argv[1]);
process.stdout.write(createTurnOwner().text);
process.stdin.resume();`;

describe('the owner of a turn', () => {
  it('runs as long as its process does', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, module]);
    const [text] = await once(child.stdout.setEncoding('utf8'), 'data');
    const owner = createTurnOwner();
    expect(owner.isRunning(text, Date.now())).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(owner.isRunning(text, Date.now())).toBe(false);
  });

  it('is another one for each store of a process', () => {
    expect(createTurnOwner().text).not.toBe(createTurnOwner().text);
  });

  it('of another boot is gone, and of another container runs while it is heard of', () => {
    const owner = createTurnOwner();
    const own = JSON.parse(owner.text);
    expect(owner.isRunning(JSON.stringify({ ...own, boot: 'another' }), Date.now())).toBe(false);
    const elsewhere = JSON.stringify({ ...own, namespace: 'pid:[1]', pid: 1, startTime: 1 });
    expect(owner.isRunning(elsewhere, Date.now())).toBe(true);
    expect(owner.isRunning(elsewhere, Date.now() - 3_600_000)).toBe(false);
  });
});
