import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandWorld, createCommandWorld } from './fixtures/run-toolpost.ts';
import { startScriptedProvider } from './fixtures/scripted-provider.ts';

let world: CommandWorld;
beforeEach(() => {
  world = createCommandWorld();
});
afterEach(() => rmSync(world.dir, { recursive: true, force: true }));

const lines = (text: string) => text.trim().split('\n');
const json = (text: string) => JSON.parse(text);

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await world.run(args);
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

async function onlyId(): Promise<string> {
  const { sessions } = json(await run('sessions', 'list', '--json'));
  expect(sessions).toHaveLength(1);
  return sessions[0].id;
}

describe('sessions', () => {
  test('run --json prints the events that are stored, to the letter, and export gives them back', async () => {
    world.write('root/a.txt', 'alpha\n');
    const provider = await startScriptedProvider([
      [
        { name: 'read', input: { file_path: 'a.txt' } },
        { name: 'edit', input: { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' } },
      ],
      'It says `beta` now.',
    ]);
    const printed = await run('run', 'change it', '--json', '--yes', '--model', provider.model);
    const id = await onlyId();
    const { session, events } = json(await run('sessions', 'export', id.slice(0, 13), '--format', 'json'));
    expect(lines(printed)).toEqual(events.map((event: object) => JSON.stringify(event)));
    expect(session).toMatchObject({ id, title: 'change it', model: provider.model, events: events.length });

    const document = await run('sessions', 'export', id);
    expect(document).toContain('# change it\n');
    expect(document).toContain('## You\n\nchange it\n');
    expect(document).toMatch(/`edit` completed in \d+ ms:\n\n```diff\n/);
    expect(document).toContain('It says `beta` now.');

    const shown = await run('sessions', 'show', id);
    for (const part of ['> change it', '▸ edit a.txt', '✓ read completed', 'It says `beta` now.']) {
      expect(shown).toContain(part);
    }
    await provider.close();
  });

  test('chat goes on with --continue in the same folder, and with --resume from anywhere', async () => {
    const provider = await startScriptedProvider(['One.', 'Two.', 'Three.']);
    await run('run', 'first', '--model', provider.model);
    const id = await onlyId();
    await run('chat', '--continue', '-p', 'second');
    const elsewhere = join(world.dir, 'elsewhere');
    mkdirSync(elsewhere);
    const { status, stderr } = await world.run(['chat', '--continue', '--root', elsewhere, '-p', 'lost']);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`no conversation was held in ${elsewhere} yet`)]);
    await run('chat', '--resume', id.slice(0, 13), '-p', 'third', '--no-bundled');
    expect(provider.requests.at(-1)).toMatch(/first.*One\..*second.*Two\..*third/);
    expect(await onlyId()).toBe(id);
    await provider.close();
  });

  test('are renamed, forked and deleted, by an id that is there', async () => {
    await run('run', 'greet Bob');
    const id = await onlyId();
    expect(await run('sessions', 'rename', id, 'About Bob')).toContain('About Bob');
    const copy = (await run('sessions', 'fork', id)).trim();
    await run('chat', '--resume', copy, '-p', 'greet Ann');
    expect(json(await run('sessions', 'show', copy, '--json')).events).toBeGreaterThan(
      json(await run('sessions', 'show', id, '--json')).events,
    );
    expect(await run('sessions', 'delete', id, copy)).toBe('2 sessions are deleted\n');
    expect(await run('sessions')).toBe('No session is kept.\n');
    for (const args of [
      ['show', id],
      ['delete', 'nonsense'],
      ['rename', 'x', 'y'],
    ]) {
      const { status, stderr } = await world.run(['sessions', ...args]);
      expect([status, stderr]).toEqual([2, expect.stringContaining('`toolpost sessions list` shows')]);
    }
  });

  test('a chat in which nothing was said is not kept', async () => {
    expect((await world.run(['chat'], { input: '\n' })).status).toBe(0);
    expect(await run('sessions')).toBe('No session is kept.\n');
  });

  test('a turn runs unsaved, with a warning, where sessions cannot be kept; to go on with one fails', async () => {
    mkdirSync(join(world.dir, 'home/sessions.db'));
    const unsaved = await world.run(['run', 'greet Bob']);
    expect([unsaved.status, unsaved.stderr]).toEqual([0, expect.stringContaining('this conversation is not kept')]);
    expect(unsaved.stdout).toContain('Hello, Bob!');
    for (const args of [
      ['chat', '--continue', '-p', 'x'],
      ['sessions', 'list'],
    ]) {
      const { status, stderr } = await world.run(args);
      expect([status, stderr]).toEqual([2, expect.stringContaining('sessions.db does not work: it cannot be opened')]);
    }
  });

  test('of a damaged database are left as they are', async () => {
    const path = world.write('home/sessions.db', 'no database '.repeat(400));
    const before = readFileSync(path);
    expect((await world.run(['run', 'greet Bob'])).status).toBe(0);
    expect(readFileSync(path)).toEqual(before);
  });

  test('call does not open the database', async () => {
    await run('call', 'hello', 'name=Bob');
    expect(() => readFileSync(join(world.dir, 'home/sessions.db'))).toThrow('ENOENT');
    writeFileSync(join(world.dir, 'home/sessions.db'), 'no database');
    await run('call', 'hello', 'name=Bob');
  });
});
