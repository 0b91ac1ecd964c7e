import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Chat, CTRL_C, CTRL_D, CTRL_O, CTRL_Z, openChat as open, READY } from '../fixtures/open-chat.ts';
import { closeTerminals, hasPty } from '../fixtures/open-terminal.ts';

const PLUGIN = `
  import { existsSync, watch } from 'node:fs';
  import { defineTool, definePlugin } from '@toolpost/sdk';
  const tool = (name, execute) => defineTool({ name, description: 'The tool ' + name + '.', execute });
  const there = (file) => new Promise((resolve) => {
    const watcher = watch(file.slice(0, file.lastIndexOf('/')), () => existsSync(file) && (watcher.close(), resolve()));
  });
  const sending = (signal) => tool(signal.toLowerCase(), async (_, { roots, output }) => {
    output('waiting');
    await there(roots[0] + '/go-on');
    process.kill(process.pid, signal);
    return new Promise(() => {});
  });
  export default definePlugin({ tools: [
    sending('SIGTERM'), sending('SIGINT'), sending('SIGHUP'),
    tool('exit', async (_, { roots, output }) => (output('waiting'), await there(roots[0] + '/go-on'), process.exit(3))),
    tool('stop', () => (process.kill(process.pid, 'SIGTSTP'), 'it goes on')),
    tool('beat', () => { setInterval(() => {}, 50); return 'it beats'; }),
  ] });`;

afterEach(closeTerminals);

const openChat = (isJob = false) =>
  open(PLUGIN, ['--model', 'demo', '--yes'], { cols: 80, rows: 24, isJob, hasKittyKeys: true });

/** Nothing of ours is set any more: the cursor is seen, keys and pastes come as ever, lines wrap, the screen is the first one. */
function expectClean({ emulator, screen }: Chat): void {
  expect(emulator.cursor().isHidden).toBe(false);
  expect(emulator.keyboardModes).toBe(0);
  for (const [on, off] of [
    ['?2004h', '?2004l'],
    ['?1049h', '?1049l'],
    ['?7l', '?7h'],
  ])
    expect(screen().lastIndexOf(`\u001b[${off}`), off).toBeGreaterThanOrEqual(screen().lastIndexOf(`\u001b[${on}`));
}

describe.skipIf(!hasPty)('leaving a chat (needs python3 with pty)', () => {
  test.each(['sigterm', 'sigint', 'sighup', 'exit'])(
    'by %s leaves the terminal as it was, also from the pager',
    async (tool) => {
      const chat = await openChat();
      chat.type(`use ${tool}\r`);
      await chat.see('waiting');
      expect(chat.emulator.keyboardModes).toBe(1);
      chat.type(CTRL_O);
      await chat.see('q goes back');
      appendFileSync(join(chat.root, 'go-on'), '');
      expect(await chat.closed).toBe(tool === 'exit' ? 1 : 0);
      expectClean(chat);
    },
  );

  test('leaves what was said and how to go on, and nothing to type into', async () => {
    const chat = await openChat();
    chat.type('use beat\r');
    await chat.see('it beats');
    await chat.see(READY);
    chat.type(CTRL_C);
    await chat.see('to leave');
    chat.type(CTRL_C);
    expect(await chat.closed).toBe(0);
    const lines = chat.lines().filter((line) => line.trim() !== '');
    expect(lines.at(-1)).toMatch(/^To go on: toolpost chat --resume [0-9a-f]{8}-[0-9a-f]{4}$/);
    for (const once of ['Toolpost, model demo', '▸ beat ✓ done'])
      expect(lines.filter((line) => line.includes(once))).toHaveLength(1);
    expect(lines.join('\n')).not.toMatch(/to leave|model demo {2}|plugin$|ctrl-o shows/);
  });

  test('without a word leaves the welcome alone', async () => {
    const chat = await openChat();
    chat.type(CTRL_D);
    expect(await chat.closed).toBe(0);
    const text = chat.lines().join('\n');
    expect(text).toContain('Toolpost, model demo');
    expect(text).not.toMatch(/ask for something|To go on|ctrl-o shows/);
  });

  test('ends the process, whatever a native plugin has left behind', async () => {
    const chat = await openChat();
    chat.type('use beat\r');
    await chat.see('it beats');
    await chat.see(READY);
    chat.type(CTRL_D);
    expect(await chat.closed).toBe(0);
  });
});

describe.skipIf(!hasPty || !existsSync('/bin/bash'))('Ctrl-Z (needs python3 with pty, and bash)', () => {
  test('gives the terminal to the shell, and fg goes on with what was written', async () => {
    const chat = await openChat(true);
    chat.type('half a sentence');
    await chat.see('half a sentence');
    chat.type(CTRL_Z);
    await chat.see('the shell again');
    expectClean(chat);
    chat.type(' ');
    await chat.see('> half a sentence');
    chat.type(`${CTRL_C}use beat\r`);
    await chat.see('it beats');
    await chat.see(READY);
    chat.type(CTRL_D);
    await chat.see('over: 0');
    expectClean(chat);
  });

  test('of somebody else, by SIGTSTP, does the same', async () => {
    const chat = await openChat(true);
    chat.type('use stop\r');
    await chat.see('the shell again');
    expectClean(chat);
    chat.type(' ');
    await chat.see('it goes on');
    await chat.see(READY);
    expect(chat.emulator.keyboardModes).toBe(1);
    chat.type(CTRL_D);
    await chat.see('over: 0');
    expectClean(chat);
  });
});
