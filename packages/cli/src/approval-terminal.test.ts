import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { closeTerminals, hasPty, openTerminal } from './fixtures/open-terminal.ts';
import { createCommandWorld } from './fixtures/run-toolpost.ts';
import { type ScriptedAnswer, startScriptedProvider } from './fixtures/scripted-provider.ts';

const PLUGIN = `
  import { defineTool } from '@toolpost/sdk';
  export default defineTool({
    name: 'deploy', description: 'Deploys.', inputSchema: { type: 'object' },
    preview: () => 'restarts\\u001b[2J web', execute: () => 'deployed',
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
async function openScripted(answers: readonly ScriptedAnswer[], { env = {}, world = createCommandWorld() } = {}) {
  const provider = await startScriptedProvider(answers);
  closing.push(provider.close);
  const chat = openTerminal(PLUGIN, ['chat', '--model', provider.model], { env, world });
  await chat.waitFor('> ');
  chat.type('go\r');
  const path = (name: string) => join(world.root, name);
  return { ...chat, path, provider, content: (name: string) => readFileSync(path(name), 'utf8') };
}

function worldWith(files: Record<string, string>) {
  const world = createCommandWorld();
  for (const [name, content] of Object.entries(files)) world.write(`root/${name}`, content);
  return world;
}

describe.skipIf(!hasPty)('a permission question at a terminal (needs python3 with pty)', () => {
  test('of an edit shows the diff before anything is written, in colours of ours', async () => {
    const world = worldWith({ 'a.txt': 'one\n\ttwo\u202e\n' });
    const chat = await openScripted([[edit('a.txt', 'one', 'ONE')], 'done'], { world });
    await chat.waitFor('Allow the built-in edit?');
    await chat.waitFor('file_path  a.txt');
    await chat.waitFor('\u001b[31m-one\u001b[39m');
    await chat.waitFor('\u001b[32m+ONE\u001b[39m');
    await chat.waitFor(' →   two\\u202e');
    await chat.waitFor('say why not: ');
    expect(chat.content('a.txt')).toBe('one\n\ttwo\u202e\n');
    chat.type('y\r');
    await chat.waitFor('done');
    expect(chat.content('a.txt')).toBe('ONE\n\ttwo\u202e\n');
  });

  test('has no colours where NO_COLOR is set', async () => {
    const world = worldWith({ 'a.txt': 'one\n' });
    const chat = await openScripted([[edit('a.txt', 'one', 'ONE')], 'done'], { world, env: { NO_COLOR: '1' } });
    await chat.waitFor('+ONE');
    await chat.waitFor('y = once, s = this session, a = always here, n = no, or say why not: ');
    expect(chat.screen()).not.toMatch(/\u001b\[(?:1|2|3\d)m/);
  });

  test('of a plugin shows all arguments, and its preview as its own words', async () => {
    const input = { service: 'web', notes: 'a\nb\u001b[2J', replicas: 3, force: 'true' };
    const chat = await openScripted([[{ name: 'deploy', input }], 'done']);
    await chat.waitFor('Allow deploy of plugin p?');
    for (const line of ['service   web', 'notes', '│ a', '│ b\\u001b[2J', 'replicas  3', 'force     "true"'])
      await chat.waitFor(line);
    await chat.waitFor('preview, as p tells it:');
    await chat.waitFor('│ restarts\\u001b[2J web');
    chat.type('y\r');
    await chat.waitFor('deployed');
  });

  test('several of one round are asked one at a time, and the reason of a no reaches the model', async () => {
    const world = worldWith({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const calls = [edit('a.txt', 'one', 'ONE'), edit('b.txt', 'two', 'TWO')];
    const chat = await openScripted([calls, 'done'], { world });
    await chat.waitFor('-one');
    await chat.waitFor('say why not: ');
    expect(chat.screen()).not.toContain('-two');
    chat.type('leave it alone\r');
    await chat.waitFor('edit denied');
    await chat.waitFor('-two');
    await chat.waitFor('say why not: ');
    chat.type('y\r');
    await chat.waitFor('done');
    expect([chat.content('a.txt'), chat.content('b.txt')]).toEqual(['one\n', 'TWO\n']);
    expect(chat.provider.requests[1]).toContain('The user said no to this call of edit: leave it alone.');
  });

  test('what was typed before the question is no answer to it', async () => {
    const chat = await openScripted([[{ name: 'bash', input: { command: 'echo ran > f' } }], 'done']);
    chat.type('y');
    await chat.waitFor('say why not: ');
    chat.type('\rx');
    await chat.waitFor('bash denied');
    await chat.waitFor('done');
    await chat.waitFor('> ');
    chat.type('\u0015again\r');
    await chat.waitFor('nothing more to say');
  });

  test('a letter that is no answer asks again', async () => {
    const chat = await openScripted([[{ name: 'deploy', input: {} }], 'done']);
    await chat.waitFor('say why not: ');
    chat.type('u\r');
    await chat.waitFor('say why not: ');
    chat.type('n\r');
    await chat.waitFor('deploy denied');
  });

  test('what is too long is cut in the middle, says so, and can be seen whole', async () => {
    const command = Array.from({ length: 60 }, (_, index) => `echo line-${index}`).join('\n');
    const chat = await openScripted([[{ name: 'bash', input: { command } }], 'done']);
    await chat.waitFor('│ echo line-0\r\n');
    await chat.waitFor('… 40 more lines …');
    await chat.waitFor('│ echo line-59\r\n');
    await chat.waitFor('view all');
    expect(chat.screen()).not.toContain('line-30');
    chat.type('v\r');
    await chat.waitFor('│ echo line-30\r\n');
    await chat.waitFor('say why not: ');
    chat.type('n\r');
    await chat.waitFor('bash denied');
  });

  test('"always" holds in the next chat, is listed, and can be taken back', async () => {
    const world = worldWith({});
    const call = { name: 'bash', input: { command: 'echo ran >> log', description: 'Notes it.' } };
    const again = { name: 'bash', input: { command: 'echo ran >> log' } };
    const first = await openScripted([[call], 'done'], { world });
    await first.waitFor('say why not: ');
    first.type('a\r');
    await first.waitFor('done');
    first.type('\u0004');
    await first.closed;

    const second = await openScripted([[again], 'done'], { world });
    await second.waitFor('done');
    expect(second.content('log')).toBe('ran\nran\n');
    expect(second.screen()).not.toContain('Allow bash');

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
    const chat = await openScripted([[write], 'done'], { env: { NO_COLOR: '1' } });
    await chat.waitFor('y = once, s = this session, n = no, or say why not: ');
    chat.type('a\r');
    await chat.waitFor('say why not: ');
    chat.type('n\r');
    await chat.waitFor('write denied');
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
