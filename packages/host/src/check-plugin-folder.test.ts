import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkPluginFolder, checkPlugins } from './check-plugin-folder.ts';

let dir = '';

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-check-')));
});

function write(name: string, content: string | object, mode = 0o644): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

/** The problems of a plugin `p` with these fields in its manifest. */
function problemsOf(fields: object): readonly string[] {
  write('p/plugin.json', { id: 'p', version: '1.0.0', permissions: ['tools.register'], ...fields });
  const [check] = checkPlugins(join(dir, 'p'));
  return check?.problems ?? ['nothing was checked'];
}

describe('what a plugin is started with', () => {
  test('may be a program on the PATH, in the folder, or a program line, with its script', () => {
    write('p/main.mjs', '');
    write('p/run', '#!/bin/sh\n', 0o755);
    for (const fields of [
      { executable: 'node', args: ['--no-warnings', 'main.mjs'] },
      { executable: './run' },
      { entry: 'node ./main.mjs --port 3' },
      { executable: 'sh', args: ['-c', 'exec other.py'] },
      { executable: process.execPath, args: ['main.mjs', 'gone.mjs'] },
      { runtime: 'mcp', executable: 'node', args: ['main.mjs'] },
      { runtime: 'mcp', url: 'https://example.com/mcp' },
    ]) {
      expect([fields, problemsOf({ runtime: 'stdio', ...fields })]).toEqual([fields, []]);
    }
  });

  test.each([
    [{ executable: 'no-such-program-7c1f' }, /cannot start no-such-program-7c1f: no program of this name on the PATH/],
    [{ executable: './gone' }, /cannot start .*gone: there is no such file/],
    [{ executable: 'node', args: ['gone.mjs'] }, /it runs node with gone\.mjs, and .*p\/gone\.mjs does not exist/],
    [{ entry: 'node --no-warnings src/gone.js' }, /src\/gone\.js does not exist/],
    [{ runtime: 'channel', entry: 'no-such-program-7c1f' }, /no-such-program-7c1f/],
    [{ runtime: 'mcp', executable: 'no-such-program-7c1f' }, /no-such-program-7c1f/],
    [{ runtime: 'native', entry: 'gone.ts' }, /names gone\.ts, and .* does not exist/],
    [{ runtime: 'native' }, /has none of index\.ts/],
    [{ runtime: 'native', entry: 'python3 main.py' }, /did you mean "runtime": "stdio"\?/],
    [{ runtime: 'wasm', entry: 'gone.wasm' }, /names gone\.wasm, and .* does not exist/],
  ])('is refused when it is not there: %j', (fields, expected) => {
    const problems = problemsOf({ runtime: 'stdio', ...fields });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test.skipIf(process.getuid?.() === undefined)('is refused when it is no program', () => {
    write('p/run', '');
    expect(problemsOf({ runtime: 'stdio', executable: './run' })[0]).toMatch(/not executable. Run chmod \+x/);
  });

  test('is not looked for when only the manifest is asked for', () => {
    write('p/plugin.json', { id: 'p', version: '1.0.0', runtime: 'native' });
    expect(checkPluginFolder(join(dir, 'p'))).toMatchObject({ manifest: { id: 'p' }, problems: [] });
  });
});

describe('a single file', () => {
  test('is a plugin by its ending', () => {
    for (const name of ['a.ts', 'b.js', 'd.wasm']) expect(checkPlugins(write(name, ''))[0]?.problems).toEqual([]);
  });

  test.each([
    ['hand.sh', /is no plugin: .*NAME\.ts, NAME\.js, NAME\.py or NAME\.wasm/],
    ['types.d.ts', /is no tool: declarations/],
    ['a b.ts', /the name of the file is the id/],
  ])('that is none is refused: %s', (name, expected) => {
    expect(checkPlugins(write(name, ''))[0]?.problems.join()).toMatch(expected);
  });

  test('plugin.json stands for its folder', () => {
    write('p/index.js', '');
    const file = write('p/plugin.json', { id: 'p', version: '1.0.0', permissions: ['*'] });
    expect(checkPlugins(file)).toMatchObject([{ dir: join(dir, 'p'), problems: [] }]);
  });
});

describe('a folder', () => {
  test('of plugins and tools is checked one by one', () => {
    write('good/plugin.json', { id: 'good', version: '1.0.0', permissions: ['*'] });
    write('good/index.js', '');
    write('bad/plugin.json', { id: 'bad', verison: '1.0.0', runtime: 'stdoi' });
    write('tools/loose.ts', '');
    const checks = checkPlugins(dir);
    expect(checks.map((check) => [check.dir.slice(dir.length), check.problems.length])).toEqual([
      ['/bad', 3],
      ['/good', 0],
      ['/tools/loose.ts', 0],
    ]);
    expect(checks[0]?.problems.join('\n')).toMatch(/runtime: .*\n.*verison: unknown key/s);
  });

  test('without any is refused, with what is expected; so is a place that does not exist', () => {
    write('notes.txt', '');
    expect(checkPlugins(dir)[0]?.problems).toEqual([expect.stringMatching(/no plugin in .*expected/)]);
    expect(checkPlugins(join(dir, 'gone'))[0]?.problems).toEqual(['does not exist']);
  });
});
