import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ASKED, type Chat, leaveChat as leave, openChat as open, READY } from './fixtures/open-chat.ts';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';
import { createCommandWorld } from './fixtures/run-toolpost.ts';

const PLUGIN = `
  import { existsSync, watch, writeFileSync } from 'node:fs';
  import { defineTool, definePlugin } from '@toolpost/sdk';
  /** What streams waits in a chat, so that it can be seen. */
  const until = (dir) => new Promise((resolve) => {
    const isOver = () => process.argv.includes('call') || existsSync(dir + '/go-on');
    const watcher = watch(dir, () => isOver() && (watcher.close(), resolve()));
    if (isOver()) watcher.close(), resolve();
  });
  export default definePlugin({ tools: [
    defineTool({ name: 'list', description: 'Lists.', execute: () => Array.from({ length: 40 }, (_, at) => 'item ' + (at + 1)).join('\\n') }),
    defineTool({ name: 'stamp', description: 'Stamps a letter.', execute: (_, { roots }) => (writeFileSync(roots[0] + '/stamped', ''), 'stamped it') }),
    defineTool({ name: 'survey', description: 'Surveys a person.', async execute(_, { ask }) {
      const answer = await ask({ message: 'Who\\u202e is it?', schema: {
        type: 'object',
        properties: { nick: { type: 'string', description: 'your name' }, age: { type: 'integer', minimum: 1 }, colour: { enum: ['red', 'blue'], default: 'red' }, sure: { type: 'boolean' }, note: { type: 'string' } },
        required: ['nick', 'sure'],
      } });
      return 'it said ' + JSON.stringify(answer);
    } }),
    defineTool({ name: 'stream', description: 'Streams lines.', async execute(_, { output, progress, roots }) {
      output('first li'); output('ne\\n'); output('warned\\n', 'stderr');
      progress({ progress: 1, total: 2, message: 'half' });
      await until(roots[0]);
      return 'streamed';
    } }),
    defineTool({ name: 'linger', description: 'Lingers for ever.', execute: () => new Promise(() => {}) }),
  ] });`;

afterEach(closeTerminals);

const openChat = (...args: string[]) => open(PLUGIN, args);

const isStamped = ({ root }: Chat) => existsSync(join(root, 'stamped'));

describe.skipIf(!hasPty)('chat at a terminal (needs python3 with pty)', () => {
  test('asks before a call, and y, s and a reason each do what they say', async () => {
    const chat = await openChat();
    chat.type('use stamp\r');
    await chat.see('Allow stamp of plugin p?');
    await chat.see('without arguments');
    await chat.see(ASKED);
    expect(isStamped(chat)).toBe(false);
    chat.type('n');
    await chat.see('Why not?');
    chat.type('wrong letter\r');
    await chat.see('▸ stamp ⊘ denied');
    await chat.see(/│ .*wrong letter/);
    expect(isStamped(chat)).toBe(false);

    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('y');
    await chat.see('▸ stamp ✓ done');
    expect(isStamped(chat)).toBe(true);

    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('s');
    await chat.seeTimes('▸ stamp ✓ done', 2);
    chat.type('use stamp\r');
    await chat.seeTimes('▸ stamp ✓ done', 3);
    await leave(chat);
  });

  test('Ctrl-C cancels the turn only; at the prompt two of them end the chat', async () => {
    const chat = await openChat('--yes');
    chat.type('use linger\r');
    await chat.see('working');
    chat.type('\u0003');
    await chat.see('▸ linger ■ cancelled');
    await chat.see('■ Cancelled');
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    await chat.see(READY);
    chat.type('\u0003');
    await chat.see('press Ctrl-C again, or Ctrl-D, to leave');
    chat.type('\u0003');
    expect(await chat.closed).toBe(0);
  });

  test('Ctrl-C at a question is a no to the call, and cancels the turn', async () => {
    const chat = await openChat();
    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('\u0003');
    await chat.see('▸ stamp ■ cancelled');
    expect(isStamped(chat)).toBe(false);
    await leave(chat);
  });

  test('takes keys also after the question whether project files are trusted', async () => {
    const world = createCommandWorld();
    world.write('root/AGENTS.md', 'Be brief.');
    const chat = openTerminal(PLUGIN, ['chat', '--yes'], { world });
    await chat.see('Trust them as they are now?');
    chat.type('y\r');
    await chat.see(READY);
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    await leave(chat);
  });

  test('Ctrl-D at a question is a no', async () => {
    const chat = await openChat();
    chat.type('use stamp\r');
    await chat.see(ASKED);
    chat.type('\u0004');
    await chat.see('▸ stamp ⊘ denied');
    expect(isStamped(chat)).toBe(false);
    await leave(chat);
  });

  test('what is typed while a turn runs is sent when it has ended', async () => {
    const chat = await openChat('--yes');
    chat.type('use linger\r');
    await chat.see('working');
    chat.type('use stamp\r');
    await chat.see('○ use stamp  queued');
    chat.type('\u001b');
    await chat.see('▸ linger ■ cancelled');
    await chat.see('▸ stamp ✓ done');
    await leave(chat);
  });

  test('a tool asks field by field: wrong answers are asked again, defaults and nothing are taken', async () => {
    const chat = await openChat('--yes');
    chat.type('use survey\r');
    await chat.see('survey of plugin p asks');
    await chat.see('Who\\u202e is it?');
    await chat.see('field 1 of 5');
    chat.type('\r');
    await chat.see('it is required');
    chat.type('Ann\r');
    await chat.see('field 2 of 5');
    chat.type('0\r');
    await chat.see('it is less than 1');
    chat.type('\u007f7\r');
    await chat.see('field 3 of 5');
    chat.type('\r');
    await chat.see('field 4 of 5');
    chat.type('y\r');
    await chat.see('field 5 of 5');
    chat.type('\r');
    await chat.see('it said {"action":"accept","content":{"nick":"Ann","age":7,"colour":"red","sure":true}}');
    await leave(chat);
  });

  test('Ctrl-C at the prompt drops what was typed; at an empty one the first says how to leave, the second leaves', async () => {
    const chat = await openChat();
    chat.type('half a prom');
    await chat.see('> half a prom');
    chat.type('\u0003');
    await chat.see(READY);
    chat.type('\u0003');
    await chat.see('press Ctrl-C again, or Ctrl-D, to leave');
    chat.type('/help\r');
    await chat.see('/exit');
    await chat.see(READY);
    chat.type('\u0003');
    await chat.see('press Ctrl-C again');
    chat.type('\u0003');
    expect(await chat.closed).toBe(0);
    expect(chat.screen()).not.toContain('▸');
  });

  test('words with a slash are commands of the chat, and an unknown one says so; a path is a prompt', async () => {
    const chat = await openChat('--yes');
    chat.type('/tools\r');
    await chat.see('Stamps a letter.');
    chat.type('/stamp\r');
    await chat.see('There is no command /stamp');
    chat.type('/letters/one: use stamp\r');
    await chat.see('▸ stamp ✓ done');
    await chat.see(READY);
    chat.type('/exit\r');
    expect(await chat.closed).toBe(0);
  });

  test('leaving puts the shell on a line of its own, with its cursor', async () => {
    const chat = await openChat();
    await leave(chat);
    expect(chat.emulator.cursor()).toMatchObject({ x: 0, isHidden: false });
  });

  test('closing the window cancels the turn and ends the chat', async () => {
    const chat = await openChat('--yes');
    chat.type('use linger\r');
    await chat.see('working');
    chat.hangUp();
    // The terminal is gone before the chat is.
    const journal = join(chat.root, '../home/journal');
    const written = () => readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
    await expect.poll(() => existsSync(journal) && written().join(''), { timeout: 20_000 }).toContain('"cancelled"');
  });

  test('what a call streams is shown under it while it runs', async () => {
    const chat = await openChat('--yes');
    chat.type('use stream\r');
    for (const line of ['   │ first line', '  2│ warned', '━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌ 1/2 half']) await chat.see(line);
    writeFileSync(join(chat.root, 'go-on'), '');
    await chat.see('▸ stream ✓ done');
    await chat.see('   │ streamed');
    await leave(chat);
  });

  test('Ctrl-O shows everything on a screen of its own, and goes back to what was there', async () => {
    const chat = await openChat('--yes');
    chat.type('use list\r');
    await chat.seeTimes('… 36 more rows (ctrl-o)', 1);
    await chat.see(READY);
    const before = chat.allLines();
    chat.type('\u000f');
    await chat.see('q goes back');
    chat.type('g');
    await chat.see('> use list');
    await chat.see('   │ item 40');
    chat.type('q');
    await chat.see(READY);
    expect(chat.allLines()).toEqual(before);
    await leave(chat);
  });

  test('another size is drawn anew, and no rest of the frame before stays behind', async () => {
    const chat = await open(PLUGIN, ['--yes'], { cols: 120, rows: 24 });
    chat.type('use linger\r');
    await chat.see('esc cancels');
    await chat.see('ctrl-o shows everything');
    chat.resize(44, 16);
    // The status has no place for it now.
    await chat.seeNoMore('ctrl-o shows everything');
    chat.resize(100, 20);
    await chat.see('ctrl-o shows everything');
    chat.type('\u001b');
    await chat.see('▸ linger ■ cancelled');
    await chat.see(READY);
    const all = chat.allLines().join('\n');
    expect([all.match(/esc cancels/g), all.match(/write ahead/g), all.match(/ctrl-o shows/g)]).toEqual([
      null,
      null,
      ['ctrl-o shows'],
    ]);
    await leave(chat);
  });

  test.each([
    ['none with NO_COLOR', { NO_COLOR: '1' }, /\u001b\[[34]8;|\u001b\[(?:1|2|3|4|3\d|9\d)m/, false],
    ['the nearest of 256', { COLORTERM: '' }, /\u001b\[38;5;67m/, true],
  ])('colours are %s', async (_, env, colour, isThere) => {
    const chat = await open(PLUGIN, ['--yes'], { env });
    chat.type('use stamp\r');
    await chat.see('▸ stamp ✓ done');
    await leave(chat);
    expect(colour.test(chat.screen())).toBe(isThere);
  });

  test.each([{ TERM: 'dumb' }, { CI: 'true' }])('is plain lines with %o', async (env) => {
    const chat = openTerminal(PLUGIN, ['chat', '--yes'], { env });
    chat.type('use stamp\n');
    await chat.see('✓ stamp completed');
    chat.type('\u0004');
    expect(await chat.closed).toBe(0);
    expect(chat.screen()).not.toContain('\u001b[?25l');
  });
});

describe.skipIf(!hasPty)('call at a terminal (needs python3 with pty)', () => {
  test('asks what the tool wants to know', async () => {
    const call = openTerminal(PLUGIN, ['call', 'survey']);
    for (const [prompt, said] of Object.entries({ 'nick (': 'Ann', 'age (': '', 'colour (': 'BLUE', 'sure (': 'no' })) {
      await call.waitFor(prompt);
      call.type(`${said}\r`);
    }
    await call.waitFor('note (');
    call.type('/\r');
    await call.waitFor('{"action":"accept","content":{"nick":"Ann","colour":"blue","sure":false,"note":"/"}}');
    expect(await call.closed).toBe(0);
  });

  test('Ctrl-C at a question cancels the call', async () => {
    const call = openTerminal(PLUGIN, ['call', 'survey']);
    await call.waitFor('nick (');
    call.type('\u0003');
    await call.waitFor('survey cancelled');
    expect(await call.closed).toBe(1);
  });

  test('shows what was streamed and the result does not say', async () => {
    const call = openTerminal(PLUGIN, ['call', 'stream']);
    await call.waitFor('  first line');
    await call.waitFor('  warned');
    await call.waitFor('streamed');
    expect(await call.closed).toBe(0);
  });
});
