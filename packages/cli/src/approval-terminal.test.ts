import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openScriptedChat, type ScriptedChatOptions } from './fixtures/open-chat.ts';
import { closeTerminals, hasPty } from './fixtures/open-terminal.ts';
import { createCommandWorld } from './fixtures/run-toolpost.ts';
import type { ScriptedAnswer } from './fixtures/scripted-provider.ts';

const PLUGIN = `
  import { defineTool } from '@toolpost/sdk';
  export default defineTool({
    name: 'deploy', description: 'Deploys.', inputSchema: { type: 'object' },
    preview: ({ service }) => 'restarts\\u001b[2J ' + service, execute: () => 'deployed',
  });`;

const edit = (path: string, from: string, to: string) => ({
  name: 'edit',
  input: { file_path: path, old_string: from, new_string: to },
});

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  closeTerminals();
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A chat with a model that does what the script says at the first prompt, which is typed. */
async function openScripted(answers: readonly ScriptedAnswer[], options: ScriptedChatOptions = {}) {
  const chat = await openScriptedChat(PLUGIN, answers, options);
  closing.push(chat.provider.close);
  chat.type('go\r');
  return { ...chat, content: (name: string) => readFileSync(join(chat.root, name), 'utf8') };
}

/** The rows from the question to its keys. */
function questionOf(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.startsWith('Allow'));
  return lines.slice(from, lines.findIndex((line) => line.includes('Esc cancels')) + 1).join('\n');
}

function worldWith(files: Record<string, string>) {
  const world = createCommandWorld();
  for (const [name, content] of Object.entries(files)) world.write(`root/${name}`, content);
  return world;
}

/** The choices stand there as soon as keys count. */
const READY = '❯ Once (y)';

describe.skipIf(!hasPty)('a permission question at a terminal (needs python3 with pty)', () => {
  test('of an edit shows the diff before anything is written, in colours of ours', async () => {
    const world = worldWith({ 'a.txt': 'one\n\ttwo\u202e\n' });
    const chat = await openScripted([[edit('a.txt', 'one', 'ONE')], 'All said.'], { world });
    await chat.see('Allow the built-in edit?');
    await chat.see('file_path  a.txt');
    await chat.see('1 - one');
    await chat.see('1 + ONE');
    await chat.see(' →   two\\u202e');
    await chat.see(READY);
    expect(chat.screen()).toMatch(/\u001b\[38;5;167m *1 - \u001b\[39mone/);
    expect(chat.screen()).toMatch(/\u001b\[38;5;65m *1 \+ \u001b\[39mONE/);
    expect(chat.content('a.txt')).toBe('one\n\ttwo\u202e\n');
    chat.type('y');
    await chat.see('All said.');
    expect(chat.content('a.txt')).toBe('ONE\n\ttwo\u202e\n');
  });

  test('has no colours where NO_COLOR is set', async () => {
    const world = worldWith({ 'a.txt': 'one\n' });
    const chat = await openScripted([[edit('a.txt', 'one', 'ONE')], 'All said.'], { world, env: { NO_COLOR: '1' } });
    await chat.see('+ ONE');
    await chat.see(READY);
    expect(chat.screen()).not.toMatch(/\u001b\[(?:1|2|3\d[\d;]*)m/);
  });

  test('of a plugin shows all arguments, and its preview as its own words', async () => {
    const input = { service: 'web', notes: 'a\nb\u001b[2J', replicas: 3, force: 'true' };
    const chat = await openScripted([[{ name: 'deploy', input }], 'All said.']);
    await chat.see(READY);
    expect(questionOf(chat.lines()).replace(chat.root, 'ROOT')).toBe(
      [
        'Allow deploy of plugin p? (deploy asks before each call)',
        '  service   web',
        '  notes',
        '    │ a',
        '    │ b\\u001b[2J',
        '  replicas  3',
        '  force     "true"',
        '  preview, as p tells it:',
        '    │ restarts\\u001b[2J web',
        '',
        '  ❯ Once (y)  this call',
        '    This session (s)  this very call, until the session ends',
        '    Always (a)  this very call, in ROOT',
        '    No (n)  you can say why',
        '  ↑↓ and Enter, or the letter · Esc cancels the turn',
      ].join('\n'),
    );
    chat.type('y');
    await chat.see('deployed');
  });

  test.each([40, 80])('marks each row of what is not ours, however long it is (%i columns)', async (cols) => {
    const input = { service: 'Once (y)\u00a0 this call '.repeat(8) };
    const chat = await openScripted([[{ name: 'deploy', input }], 'All said.'], { cols });
    await chat.see(READY);
    const rows = chat.allLines();
    const at = (start: string) => rows.findIndex((row) => row.startsWith(start));
    const told = at('  preview, as p tells it:');
    const foreign = [...rows.slice(at('  service') + 1, told), ...rows.slice(told + 1, at('  ❯ Once') - 1)];
    expect(foreign.length).toBeGreaterThan(4);
    expect(foreign.filter((row) => !row.startsWith('    │ '))).toEqual([]);
  });

  test('several of one round are asked one at a time, and the reason of a no reaches the model', async () => {
    const world = worldWith({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const calls = [edit('a.txt', 'one', 'ONE'), edit('b.txt', 'two', 'TWO')];
    const chat = await openScripted([calls, 'All said.'], { world });
    await chat.see('and 1 more question behind it');
    await chat.see(READY);
    // Calls of a round run together: either may be the first to ask.
    const isFirst = chat.lines().some((line) => line.includes('- one'));
    expect(chat.allLines().join('\n')).not.toContain(isFirst ? '- two' : '- one');
    chat.type('n');
    await chat.see('Why not?');
    chat.type('leave it alone\r');
    await chat.see(isFirst ? '- two' : '- one');
    await chat.see(READY);
    expect(chat.lines().join('\n')).not.toContain('more question');
    chat.type('\r');
    await chat.see('All said.');
    expect([chat.content('a.txt'), chat.content('b.txt')]).toEqual(isFirst ? ['one\n', 'TWO\n'] : ['ONE\n', 'two\n']);
    expect(chat.provider.requests[1]).toContain('The user said no to this call of edit: leave it alone.');
  });

  test('what was typed before the question could be seen is no answer to it, and stays in the prompt', async () => {
    const chat = await openScripted([[{ name: 'bash', input: { command: 'echo ran > f' } }], 'All said.']);
    chat.type('yes');
    await chat.see('Allow the built-in bash?');
    await chat.see('> yes');
    await chat.see(READY);
    chat.type('n');
    await chat.see('Why not?');
    chat.type('\r');
    await chat.see('All said.');
    await chat.see('> yes');
  });

  test('a letter that is no answer changes nothing, arrows choose, and Esc goes back from a reason', async () => {
    const chat = await openScripted([[{ name: 'deploy', input: {} }], 'All said.']);
    await chat.see(READY);
    chat.type('u');
    chat.type('\u001b[A');
    await chat.see('❯ No (n)');
    chat.type('\r');
    await chat.see('Why not?');
    chat.type('\u001b');
    await chat.see('❯ No (n)');
    chat.type('\u001b[B');
    await chat.see(READY);
    chat.type('\u001b[B');
    await chat.see('❯ This session (s)');
    chat.type('\r');
    await chat.see('deployed');
  });

  test('what is longer than the screen is scrolled, and says so', async () => {
    const command = Array.from({ length: 60 }, (_, index) => `echo line-${index}.`).join('\n');
    const chat = await openScripted([[{ name: 'bash', input: { command } }], 'All said.'], { cols: 80, rows: 24 });
    await chat.see('│ echo line-0.');
    await chat.see(/1-\d+ of \d+ lines, PgUp and PgDn show the others/);
    await chat.see(READY);
    expect(chat.lines().join('\n')).not.toContain('line-59.');
    for (let page = 0; page < 20; page++) chat.type('\u001b[6~');
    await chat.see('│ echo line-59.');
    chat.type('n');
    await chat.see('Why not?');
    chat.type('\r');
    await chat.see('All said.');
  });

  test('"always" says what it keeps, holds in the next chat, is listed, and can be taken back', async () => {
    const world = worldWith({});
    const call = { name: 'bash', input: { command: 'echo ran >> log', description: 'Notes it.' } };
    const again = { name: 'bash', input: { command: 'echo ran >> log' } };
    const first = await openScripted([[call], 'All said.'], { world });
    await first.see(READY);
    await first.see(`Always (a)  this very call, in ${world.root}`);
    first.type('a');
    await first.see('All said.');
    first.type('\u0004');
    await first.closed;

    const second = await openScripted([[again], 'All said.'], { world });
    await second.see('All said.');
    expect(second.content('log')).toBe('ran\nran\n');
    expect(second.screen()).not.toContain('Allow the built-in bash');

    const { stdout } = await world.run(['approvals', 'list', '--json']);
    const { approvals } = JSON.parse(stdout);
    expect(approvals).toMatchObject([
      { tool: 'bash', plugin: 'builtin', arguments: '{"command":"echo ran >> log"}', roots: [world.root] },
    ]);
    expect((await world.run(['approvals', 'list'])).stdout).toContain('bash of builtin\n    with {"command":');
    expect((await world.run(['why', 'bash'])).stdout).toContain('but always allowed: {"command":"echo ran >> log"}');
    expect((await world.run(['approvals', 'forget', approvals[0].id])).stdout).toBe('1 answer is taken back\n');
    expect((await world.run(['approvals', 'list'])).stdout).toBe('No answer "always" is kept.\n');
  });

  test('cannot be answered "always" where a write always asks', async () => {
    const write = { name: 'write', input: { file_path: '.git/hooks/pre-commit', content: 'evil\n' } };
    const chat = await openScripted([[write], 'All said.'], { env: { NO_COLOR: '1' } });
    await chat.see(READY);
    expect(chat.lines().join('\n')).not.toContain('Always');
    chat.type('a');
    chat.type('n');
    await chat.see('Why not?');
    chat.type('\r');
    await chat.see('All said.');
  });
});

describe('toolpost approvals', () => {
  test('says when there are none, and which id is unknown', async () => {
    const world = createCommandWorld();
    expect((await world.run(['approvals', 'list'])).stdout).toBe('No answer "always" is kept.\n');
    expect((await world.run(['approvals', 'list', '--json'])).stdout).toBe('{"approvals":[]}\n');
    const unknown = await world.run(['approvals', 'forget', '../config']);
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('../config')]);
    expect((await world.run(['approvals', 'forget'])).status).toBe(2);
    expect((await world.run(['approvals', 'forget', '--all'])).stdout).toBe('0 answers are taken back\n');
  });

  test('shows a damaged file and takes it away', async () => {
    const world = createCommandWorld();
    const file = world.write('home/approvals/0123456789ab.json', '{"tool":"\u001b[2Jx"');
    expect((await world.run(['approvals', 'list'])).stdout).toMatch(/^0123456789ab {2}\(a damaged file/);
    writeFileSync(file, 'x');
    expect((await world.run(['approvals', 'forget', '--all'])).stdout).toBe('1 answer is taken back\n');
    expect((await world.run(['approvals', 'list'])).stdout).toBe('No answer "always" is kept.\n');
  });
});
