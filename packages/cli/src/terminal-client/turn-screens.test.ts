import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { leaveChat, openScriptedChat, READY } from '../fixtures/open-chat.ts';
import { closeTerminals, hasPty } from '../fixtures/open-terminal.ts';
import { createCommandWorld } from '../fixtures/run-toolpost.ts';

/** Each tool prints, and then waits until the test lets it go on by a file of its name. */
const PLUGIN = `
  import { existsSync, watch } from 'node:fs';
  import { defineTool, definePlugin } from '@toolpost/sdk';
  const until = (file, folder, signal) => new Promise((resolve, reject) => {
    const watcher = watch(folder, () => existsSync(folder + '/' + file) && (watcher.close(), resolve()));
    signal.addEventListener('abort', () => (watcher.close(), reject(new Error('given up'))));
    if (existsSync(folder + '/' + file)) watcher.close(), resolve();
  });
  const tool = (name, work) => defineTool({ name, description: name, primaryArg: 'what',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } }, execute: work });
  export default definePlugin({ tools: [
    tool('compile', async (_, { output, progress, roots, abortSignal }) => {
      for (let n = 1; n <= 10; n++) output('compiled part ' + n + '\\n');
      output('part 3 is deprecated\\n', 'stderr');
      progress({ progress: 3, total: 10, message: 'linking' });
      await until('compile-on', roots[0], abortSignal);
      output('linked\\n');
      return 'compiled 10 parts\\nlinked';
    }),
    tool('fetch', async (_, { output, roots, abortSignal }) => {
      output('10%\\r50%\\r100%\\n日本語の出力\\n');
      await until('fetch-on', roots[0], abortSignal);
      throw new Error('the network is down');
    }),
    tool('linger', (_, { output, roots, abortSignal }) => (output('lingering\\n'), until('never', roots[0], abortSignal))),
  ] });`;

const ANSWER = `# What I found

The **registry** folds case, so \`read\` shadows the built-in *Read*: see [the guide](https://example.com/guide/registry).

- one thing, that is told in so many words that it does not fit into eighty columns of a terminal
  - and a smaller one
- 東アジアの文字は二桁の幅があるので、折り返しの位置を正しく数えなければなりません。

| tool | what it does |
|---|--:|
| compile | compiles |
| 取得 | fetches |

\`\`\`ts
export const answer = 42; // of everything
\`\`\`
`;

const A_FILE = Array.from({ length: 9 }, (_, at) => `const line${at} = ${at};`);

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  closeTerminals();
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** What differs from run to run, in as many columns. */
function normalised(lines: readonly string[], root: string): string {
  return lines
    .map((line) =>
      line
        .replace(root, 'ROOT')
        .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋')
        .trimEnd(),
    )
    .map((line) =>
      line
        .replace(/(working|thinking|writing|running) \d+ s/, '$1')
        .replace(/ (?:in|after) [\d.]+ s/, '')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}/, 'SESSION'),
    )
    .join('\n')
    .trimEnd()
    .concat('\n');
}

async function openTurn(cols: number) {
  const world = createCommandWorld();
  world.write('root/a.ts', `${A_FILE.join('\n')}\n`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  async function* words() {
    yield 'I compile and **fetch** at once, ';
    await released;
    yield 'and then change what has to be changed.';
  }
  const call = (name: string, input: object) => ({ name, input });
  const changed = A_FILE.with(2, 'const two = 2;').slice(0, 8);
  const allowed = ['compile', 'fetch', 'linger'].flatMap((name) => ['--allow', name]);
  const chat = await openScriptedChat(
    PLUGIN,
    [
      { words: words(), calls: [call('compile', { what: 'everything' }), call('fetch', { what: 'the news' })] },
      [call('edit', { file_path: 'a.ts', old_string: A_FILE.join('\n'), new_string: changed.join('\n') })],
      ANSWER,
      [call('linger', { what: 'for ever' })],
    ],
    { args: allowed, usage: { prompt_tokens: 1200, completion_tokens: 80 }, world, cols, rows: 30 },
  );
  closing.push(chat.provider.close);
  const screen = () => normalised(chat.lines(), world.root);
  return {
    ...chat,
    world,
    release,
    screen,
    letGoOn: (name: string) => writeFileSync(join(world.root, `${name}-on`), ''),
  };
}

describe.skipIf(!hasPty).each([80, 160])('a turn in %i columns (needs python3 with pty)', (cols) => {
  test('streams, shows parallel calls apart, asks with the diff, and is cancelled by Esc', async () => {
    const chat = await openTurn(cols);
    const shows = (name: string) => expect(chat.screen()).toMatchFileSnapshot(`__screens__/${name}-${cols}.txt`);
    await chat.see('1 plugin');
    await shows('1-empty');

    chat.type('look around\r');
    await chat.see('I compile and fetch at once,');
    expect(chat.lines().join('\n')).not.toContain('has to be changed');
    chat.release();
    await chat.see('linking');
    await chat.see('日本語の出力');
    await shows('2-parallel');

    chat.letGoOn('fetch');
    await chat.see('the network is down');
    await chat.see('linking');
    chat.letGoOn('compile');
    await chat.see('Allow the built-in edit?');
    await chat.see('❯ Once');
    await shows('3-approval');
    expect(readFileSync(join(chat.root, 'a.ts'), 'utf8')).toContain('line2');

    chat.type('y');
    await chat.see(READY);
    chat.type('and now wait\r');
    await chat.see('lingering');
    chat.type('\u001b');
    await chat.see('■ Cancelled');
    await chat.see(READY);
    await expect(normalised(chat.allLines(), chat.root)).toMatchFileSnapshot(`__screens__/4-whole-${cols}.txt`);
    expect(chat.emulator.title).toBe('');
    await leaveChat(chat);
    expect(chat.emulator.cursor().isHidden).toBe(false);
  }, 30_000);
});
