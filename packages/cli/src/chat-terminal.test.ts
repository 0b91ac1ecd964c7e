import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

/** Runs a program in a terminal of its own: what it writes comes out, what is written goes to its keyboard. */
const PTY = `
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))
`;

const hasPty = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;

const PLUGIN = `
  import { writeFileSync } from 'node:fs';
  import { defineTool, definePlugin } from '@toolpost/sdk';
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: (_, { roots }) => (writeFileSync(roots[0] + '/stamped', ''), 'stamped it') }),
    defineTool({ name: 'linger', description: 'Lingers for ever.', execute: () => new Promise(() => {}) }),
  ] });`;

const running = new Set<() => void>();

afterEach(() => {
  for (const kill of running) kill();
  running.clear();
});

/** A chat at a terminal: `waitFor` resolves once the text has appeared since the last one. */
function openChat(...args: string[]) {
  const world = createCommandWorld();
  world.write('plugins/p/index.mjs', PLUGIN);
  world.write('plugins/p/plugin.json', {
    id: 'p',
    name: 'p',
    version: '1.0.0',
    runtime: 'native',
    entry: 'index.mjs',
    permissions: ['tools.register'],
  });
  const command = [
    process.execPath,
    LAUNCHER,
    'chat',
    '--plugins',
    join(world.dir, 'plugins'),
    '--no-bundled',
    ...args,
  ];
  const child = spawn('python3', ['-c', PTY, ...command], { env: { ...world.env, TERM: 'xterm' }, cwd: world.root });
  let screen = '';
  let seen = 0;
  const changed = new EventTarget();
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
    changed.dispatchEvent(new Event('change'));
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  running.add(() => child.kill());
  return {
    root: world.root,
    closed,
    screen: () => screen,
    type: (text: string) => void child.stdin.write(text),
    waitFor: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          const at = screen.indexOf(text, seen);
          if (at === -1) return;
          seen = at + text.length;
          changed.removeEventListener('change', look);
          resolve();
        };
        changed.addEventListener('change', look);
        void closed.then(() => reject(new Error(`it ended before ${JSON.stringify(text)} was shown:\n${screen}`)));
        look();
      }),
  };
}

describe.skipIf(!hasPty)('chat at a terminal (needs python3 with pty)', () => {
  test('asks before a call, and y, s and a reason each do what they say', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('Allow stamp of p with {}?');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
    await chat.waitFor('say why not: ');
    chat.type('wrong letter\r');
    await chat.waitFor('stamp denied');
    await chat.waitFor('wrong letter');
    await chat.waitFor('> ');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);

    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('y\r');
    await chat.waitFor('stamp completed');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(true);
    await chat.waitFor('> ');

    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('s\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('stamp completed');
    expect(chat.screen().match(/Allow stamp/g)).toHaveLength(3);
    await chat.waitFor('> ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });

  test('Ctrl-C cancels the turn only; at the prompt it ends the chat', async () => {
    const chat = openChat('--yes');
    await chat.waitFor('> ');
    chat.type('use linger\r');
    await chat.waitFor('▸ linger');
    chat.type('\u0003');
    await chat.waitFor('linger cancelled');
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('stamp completed');
    await chat.waitFor('> ');
    chat.type('\u0003');
    expect(await chat.closed).toBe(0);
  });

  test('Ctrl-C at a question is a no to the call, and cancels the turn', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('\u0003');
    await chat.waitFor('stamp cancelled');
    await chat.waitFor('> ');
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
  });

  test('the end of the input at a question is a no', async () => {
    const chat = openChat();
    await chat.waitFor('> ');
    chat.type('use stamp\r');
    await chat.waitFor('say why not: ');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
    expect(existsSync(join(chat.root, 'stamped'))).toBe(false);
  });
});
