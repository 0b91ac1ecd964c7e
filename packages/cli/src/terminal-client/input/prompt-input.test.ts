import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { leaveChat, openChat as open, READY } from '../../fixtures/open-chat.ts';
import { closeTerminals, hasPty, type TerminalOptions } from '../../fixtures/open-terminal.ts';
import { type CommandWorld, createCommandWorld } from '../../fixtures/run-toolpost.ts';

const PLUGIN = `
  import { defineTool, definePlugin } from '@toolpost/sdk';
  let release;
  export default definePlugin({ tools: [
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: () => 'stamped it' }),
    defineTool({ name: 'linger', description: 'Lingers until it is cancelled.', execute: (_, { abortSignal }) =>
      new Promise((resolve) => abortSignal.addEventListener('abort', () => resolve('lingered'))) }),
  ] });`;

const UP = '\u001b[A';
const LEFT = '\u001b[D';
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

afterEach(closeTerminals);

const openChat = (options: TerminalOptions = {}) => open(PLUGIN, ['--yes'], { cols: 80, rows: 24, ...options });

/** The rows from the prompt's mark to the status bar. */
function promptOf(lines: readonly string[]): string[] {
  const from = lines.findLastIndex((line) => line.startsWith('> '));
  return lines
    .slice(
      from,
      lines.findLastIndex((line) => line.startsWith('demo ')),
    )
    .map((line) => line.trimEnd());
}

/** The prompts that the history of a home holds. */
function keptIn({ dir }: CommandWorld): string[] {
  return readFileSync(join(dir, 'home/chat-history.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.skipIf(!hasPty)('the prompt at a terminal (needs python3 with pty)', () => {
  test('takes several lines, each way, and wraps a long one', async () => {
    const world = createCommandWorld();
    const chat = await openChat({ world, cols: 40 });
    chat.type('one\\\rtwo\ntree');
    await chat.see('  tree');
    chat.type(`${LEFT}${LEFT}${LEFT}h\u001b\rfour words that go on and on behind the edge`);
    await chat.see('the edgeree');
    expect(promptOf(chat.lines())).toEqual([
      ...['> one', '  two', '  th', '  four words that go on and on behind', '  the edgeree'],
    ]);
    chat.type('\r');
    await chat.see(/^> $|ask for something/);
    expect(keptIn(world)).toEqual(['one\ntwo\nth\nfour words that go on and on behind the edgeree']);
  });

  test('shows wide characters, emoji and marks whole, and steps over each at once', async () => {
    const world = createCommandWorld();
    const chat = await openChat({ world });
    chat.type('漢字👩\u200d👧e\u0301!');
    await chat.see('漢字');
    chat.type(`${LEFT}${LEFT}${LEFT}\u007f\u001b[3~`);
    await chat.see('漢e\u0301!');
    chat.type('\u001b[F\r');
    await chat.see('ask for something');
    expect(keptIn(world)).toEqual(['漢e\u0301!']);
  });

  test('folds a paste of 1 MB, and keeps taking keys', async () => {
    const world = createCommandWorld();
    const chat = await openChat({ world });
    const long = Array.from({ length: 10_000 }, (_, index) => `line ${index} ${'x'.repeat(90)}`).join('\r');
    expect(long.length).toBeGreaterThan(1_000_000);
    chat.type(paste(long));
    await chat.see('> [pasted 10,000 lines]');
    chat.type(`and ${paste('two\rlines')}`);
    await chat.see('  lines');
    expect(promptOf(chat.lines())).toEqual(['> [pasted 10,000 lines]and two', '  lines']);
    chat.type('\u0003');
    await chat.see('ask for something');
  });

  test('a paste cannot drive the terminal, send itself, or look like keys', async () => {
    const chat = await openChat();
    chat.type(paste('a\u001b]0;pwned\u0007\u001b[2J\rb\u0003\u0004\u202ec'));
    await chat.see('  b\\u202ec');
    expect(promptOf(chat.lines())).toEqual(['> a', '  b\\u202ec']);
    expect(chat.emulator.title).not.toContain('pwned');
  });

  test('keeps what was sent for the next chat of the same home', async () => {
    const world = createCommandWorld();
    const first = await openChat({ world });
    first.type('use stamp\r');
    await first.see('stamped it');
    first.type('/exit\r');
    expect(await first.closed).toBe(0);
    const second = await openChat({ world });
    second.type(`${UP}${UP}`);
    await second.see('> use stamp');
    second.type('\r');
    await second.see('stamped it');
  });

  test('lists commands as one types, completes what they take, and closes with Esc', async () => {
    const chat = await openChat();
    chat.type('/');
    await chat.see('❯ /tools');
    chat.type('wh');
    await chat.see('❯ /why');
    chat.type('\t');
    await chat.see('❯ bash');
    await chat.see('  stamp   Stamps a letter.');
    chat.type('st');
    await chat.see('❯ stamp');
    chat.type('\r');
    await chat.see('A call of it is decided by:');
    chat.type('/he');
    await chat.see('❯ /help');
    chat.type('\u001b');
    await chat.seeNoMore('❯ /help');
    await chat.see('> /he');
  });

  test('completes files below the root, without those that git ignores', async () => {
    const world = createCommandWorld();
    world.write('root/.gitignore', 'dist/\n');
    world.write('root/dist/letter.js', '');
    world.write('root/src/letter.ts', '');
    world.write('root/my letter.txt', '');
    const chat = await openChat({ world });
    chat.type('read @let');
    await chat.see('❯ @src/letter.ts');
    expect(promptOf(chat.lines())).toEqual(['> read @let', '❯ @src/letter.ts', '  @"my letter.txt"']);
    chat.type('\u001b[B');
    await chat.see('❯ @"my letter.txt"');
    chat.type('\t');
    await chat.see('> read @"my letter.txt"');
  });

  test('what is sent while a turn runs is shown as queued, and sent behind it', async () => {
    const chat = await openChat();
    chat.type('use linger\r');
    await chat.see('linger');
    await chat.see('write ahead');
    chat.type('use stamp\rhalf a thou');
    await chat.see('○ use stamp  queued');
    await chat.see('> half a thou');
    chat.type('\u001b');
    await chat.see('stamped it');
    await chat.see('> half a thou');
  });

  test('takes Shift-Enter, and every other key, from a terminal with the keyboard protocol of kitty', async () => {
    const world = createCommandWorld();
    const chat = await openChat({ world, hasKittyKeys: true });
    expect(chat.emulator.keyboardModes).toBe(1);
    chat.type('one\u001b[13;2utwoo\u001b[104;5u');
    await chat.see(/^ {2}two$/);
    chat.type('\u001b[97;5u\u001b[100;5u');
    await chat.see(/^ {2}wo$/);
    chat.type('\u001b[45;6u');
    await chat.see(/^ {2}two$/);
    chat.type('\u001b[13u');
    await chat.see(READY);
    chat.type('use linger\u001b[13u');
    await chat.see('working');
    chat.type('\u001b[27u');
    await chat.see('▸ linger ■ cancelled');
    expect(keptIn(world)).toEqual(['one\ntwo', 'use linger']);
    await leaveChat(chat);
    expect(chat.emulator.keyboardModes).toBe(0);
  });

  test('goes on after a paste whose end got lost, and makes nothing of an end that comes late', async () => {
    const chat = await openChat();
    chat.type('\u001b[200~what was pasted\r');
    await chat.see('> what was pasted');
    chat.type('and\u001b[201~ typed');
    await chat.see('  and typed');
    chat.type('\u0003');
    await leaveChat(chat);
  });
});
