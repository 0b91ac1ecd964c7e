import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { HostError } from '@toolpost/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DiscoverPluginsOptions, discoverPlugins } from './discover-plugins.ts';
import { readPluginFolder } from './read-plugin-folder.ts';

let dir: string;
let homeDir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-discover-')));
  homeDir = join(dir, 'home');
});

function write(path: string, content = ''): string {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** A plugin folder at `path`; its id is the folder's name unless `manifest` says otherwise. */
function plugin(path: string, manifest: object = {}): string {
  const id = basename(path);
  const all = {
    id,
    version: '1.0.0',
    runtime: 'stdio',
    entry: 'python3 main.py',
    permissions: ['tools.register'],
    ...manifest,
  };
  return dirname(write(join(path, 'plugin.json'), JSON.stringify(all)));
}

function discover(options: Partial<DiscoverPluginsOptions> = {}) {
  return discoverPlugins({ homeDir, settings: { plugins: { dirs: [], disabled: [] } }, ...options });
}

const ids = ({ plugins }: { plugins: readonly { id: string }[] }) => plugins.map(({ id }) => id);

describe('the places of plugins', () => {
  test('are read in their order, inside one by id', () => {
    plugin('flag/z');
    plugin('flag/a');
    plugin('home/plugins/y');
    write('home/tools/b.ts');
    plugin('config/x');
    plugin('bundled/w');
    plugin('root/.toolpost/plugins/v');
    write('root/.toolpost/tools/c.py');
    const found = discover({
      pluginDirs: [join(dir, 'flag')],
      settings: { plugins: { dirs: [join(dir, 'config')], disabled: [] } },
      bundledDir: join(dir, 'bundled'),
      trustedRoots: [join(dir, 'root')],
    });
    expect(found.plugins.map(({ id, origin }) => `${origin} ${id}`)).toEqual([
      'flag a',
      'flag z',
      'home b',
      'home y',
      'config x',
      'bundled w',
      'project c',
      'project v',
    ]);
    expect(found.warnings).toEqual([]);
    expect(found.problems).toEqual([]);
  });

  test('may all be absent', () => {
    expect(discover({ bundledDir: join(dir, 'none'), trustedRoots: [join(dir, 'none')] })).toEqual({
      plugins: [],
      problems: [],
      warnings: [],
    });
  });

  test('of a root that is not trusted are not looked at', () => {
    plugin('root/.toolpost/plugins/evil');
    expect(discover({ trustedRoots: [] }).plugins).toEqual([]);
  });

  test('may be links; the plugin runs in the real folder', () => {
    const real = plugin('elsewhere/linked');
    mkdirSync(join(homeDir, 'plugins'), { recursive: true });
    symlinkSync(real, join(homeDir, 'plugins', 'linked'));
    const { plugins, warnings } = discover();
    expect(plugins.map((found) => found.dir)).toEqual([real]);
    expect(warnings).toEqual([]);
  });

  test('that cannot be read are a warning', () => {
    write('home/plugins', 'a file');
    expect(discover().warnings[0]).toMatch(/plugins: no plugin is looked for in it.*ENOTDIR/);
  });

  test('skip files, hidden folders and folders without a manifest', () => {
    write('home/plugins/README.md');
    write('home/plugins/shared/util.js');
    plugin('home/plugins/.trash', { id: 'trash' });
    expect(discover()).toEqual({ plugins: [], problems: [], warnings: [] });
  });
});

describe('--plugins DIR', () => {
  const flagged = (...names: string[]) => discover({ pluginDirs: names.map((name) => join(dir, name)) });

  test('takes a folder of plugins and one plugin folder', () => {
    plugin('many/a');
    plugin('one');
    expect(ids(flagged('many', 'one'))).toEqual(['a', 'one']);
  });

  test('keeps the order in which it was given', () => {
    plugin('first/twin', { description: 'first' });
    plugin('second/twin', { description: 'second' });
    const { plugins, warnings } = flagged('first', 'second');
    expect(plugins.map(({ manifest }) => manifest.description)).toEqual(['first']);
    expect(warnings).toEqual([
      `plugin twin in ${join(dir, 'second/twin')} is ignored: ${join(dir, 'first/twin')} has the same id and was found first`,
    ]);
  });

  test('says nothing when it names the same plugin twice', () => {
    plugin('home/plugins/a');
    expect(flagged('home/plugins', 'home/plugins/a')).toMatchObject({ plugins: [{ id: 'a' }], warnings: [] });
  });

  test('takes lone components, by the name of the file', () => {
    const file = write('lone/note.wasm');
    expect(flagged('lone').plugins).toMatchObject([
      {
        id: 'note',
        dir: join(dir, 'lone'),
        file,
        manifest: { runtime: 'wasm', entry: 'note.wasm', permissions: ['tools.register'] },
      },
    ]);
  });

  test('takes loose tools of its tools folder beside the plugins', () => {
    plugin('mine/a');
    write('mine/build.js');
    write('mine/tools/count.ts');
    expect(ids(flagged('mine'))).toEqual(['a', 'count']);
  });

  test('takes a folder that holds nothing but loose tools', () => {
    write('loose/count.ts');
    write('loose/helpers/other.ts');
    expect(ids(flagged('loose'))).toEqual(['count']);
  });

  test('warns when there is no plugin in it', () => {
    write('empty/README.md');
    expect(flagged('empty').warnings).toEqual([
      `no plugin in ${join(dir, 'empty')}: expected folders with a plugin.json, .wasm files, or NAME.ts, NAME.js and NAME.py files`,
    ]);
  });

  test('that does not exist, or is a file, is wrong usage', () => {
    write('file.ts');
    for (const [name, reason] of [
      ['nowhere', 'does not exist'],
      ['file.ts', 'is not a folder'],
    ] as const) {
      expect(() => flagged(name)).toThrow(new RegExp(`--plugins .*${name}.* ${reason}`));
      expect(() => flagged(name)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    }
  });
});

describe('a loose tool file', () => {
  test('runs natively, or with Python over stdio', () => {
    write('home/tools/count.ts');
    const python = write('home/tools/shout.py');
    expect(discover().plugins).toMatchObject([
      { id: 'count', manifest: { runtime: 'native', entry: 'count.ts', permissions: ['tools.register'] } },
      {
        id: 'shout',
        dir: join(homeDir, 'tools'),
        file: python,
        manifest: { runtime: 'stdio', executable: 'python3', args: ['shout.py'], permissions: ['tools.register'] },
      },
    ]);
  });

  test('in TypeScript wins over what was compiled from it, with a warning', () => {
    write('home/tools/count.js');
    write('home/tools/count.ts');
    const { plugins, warnings } = discover();
    expect(plugins.map(({ file }) => basename(file ?? ''))).toEqual(['count.ts']);
    expect(warnings[0]).toMatch(/count\.js is ignored: .*count\.ts has the same id/);
  });

  test.each([
    'types.d.ts',
    'count.test.ts',
    'count_test.py',
    '_shared.py',
    '__init__.py',
    'toolpost.py',
    'vitest.config.ts',
    'a.mjs',
  ])('is not %s', (name) => {
    write(`home/tools/${name}`);
    expect(discover()).toEqual({ plugins: [], problems: [], warnings: [] });
  });

  test('with a name that can be no id is a problem that names it', () => {
    write('home/tools/größe.ts');
    const [problem] = discover().problems;
    expect(problem?.error.message).toMatch(/größe\.ts: the name of the file is the id/);
  });

  test('that is a dead link is a warning', () => {
    mkdirSync(join(homeDir, 'tools'), { recursive: true });
    symlinkSync('nowhere.ts', join(homeDir, 'tools', 'gone.ts'));
    expect(discover().warnings).toEqual([
      `${join(homeDir, 'tools', 'gone.ts')}: ignored, because the link leads to nothing`,
    ]);
  });
});

describe('a plugin', () => {
  test('may be called otherwise than its folder, with a warning', () => {
    const folder = plugin('home/plugins/my-greeter', { id: 'greeter' });
    const { plugins, warnings } = discover();
    expect(ids({ plugins })).toEqual(['greeter']);
    expect(warnings).toEqual([`plugin greeter (${folder}): its folder is called my-greeter, its id is greeter`]);
  });

  test('whose manifest is doubtful is found, with warnings that name it', () => {
    plugin('home/plugins/a', { permissions: [] });
    expect(discover().warnings).toEqual([
      expect.stringMatching(
        /^plugin a \(.*\): permissions: .*"tools.register" is missing.*"hooks.subscribe" is missing/,
      ),
    ]);
  });

  test('that is disabled is marked, whatever the case of its id', () => {
    plugin('home/plugins/Greeter');
    plugin('home/plugins/other');
    const { plugins } = discover({ settings: { plugins: { dirs: [], disabled: ['greeter'] } } });
    expect(plugins.map(({ id, disabled }) => [id, disabled])).toEqual([
      ['Greeter', true],
      ['other', false],
    ]);
  });

  test('with the id of another in other case is ignored', () => {
    plugin('flag/Greeter');
    plugin('home/plugins/greeter');
    const { plugins, warnings } = discover({ pluginDirs: [join(dir, 'flag')] });
    expect(ids({ plugins })).toEqual(['Greeter']);
    expect(warnings[0]).toMatch(/plugin greeter in .* is ignored/);
  });

  test('of a project takes no id of another', () => {
    plugin('home/plugins/greeter');
    plugin('root/.toolpost/plugins/greeter');
    const { plugins } = discover({ trustedRoots: [join(dir, 'root')] });
    expect(plugins.map(({ origin }) => origin)).toEqual(['home']);
  });
});

describe('a broken plugin', () => {
  test('is a problem with its folder, id, reason and declared tools, and stops no other', () => {
    const folder = plugin('home/plugins/broken', {
      timeout: '10x',
      contributes: { tools: [{ name: 'fix', description: '' }] },
    });
    const cut = dirname(write('home/plugins/cut/plugin.json', '{ "id": "cut", "name": "Cut in the mid'));
    plugin('home/plugins/good');
    const { plugins, problems } = discover();
    expect(ids({ plugins })).toEqual(['good']);
    expect(problems).toMatchObject([
      { dir: cut, toolNames: [] },
      { dir: folder, id: 'broken', toolNames: ['fix'], error: { code: 'MANIFEST_INVALID', pluginId: 'broken' } },
    ]);
    expect(problems[0]?.error.message).toBe(`${cut}/plugin.json: not JSON at line 1, column 39: Unterminated string`);
    expect(problems[1]?.error.message).toMatch(/broken\/plugin\.json: invalid manifest: timeout: found "10x"/);
  });

  test('keeps its id: nothing falls back to a plugin behind it', () => {
    plugin('flag/guard', { version: 'x' });
    plugin('home/plugins/guard');
    const { plugins, problems, warnings } = discover({ pluginDirs: [join(dir, 'flag')] });
    expect(plugins).toEqual([]);
    expect(problems.map(({ id }) => id)).toEqual(['guard']);
    expect(warnings[0]).toMatch(/home\/plugins\/guard is ignored/);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path, { recursive: true }), /is not a file/],
    ['of two megabytes', (path: string) => writeFileSync(path, ' '.repeat(2 * 1024 * 1024)), /at most 1 MiB/],
    ['empty', (path: string) => writeFileSync(path, ''), /not JSON at line 1/],
    ['a list', (path: string) => writeFileSync(path, '[]'), /expected an object/],
  ])('may have a manifest that is %s', (_, make, message) => {
    mkdirSync(join(homeDir, 'plugins', 'odd'), { recursive: true });
    make(join(homeDir, 'plugins', 'odd', 'plugin.json'));
    const { problems } = discover();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.error).toBeInstanceOf(HostError);
    expect(problems[0]?.error.message).toMatch(message);
  });

  test('may be copied: each copy without an id is a problem of its own', () => {
    const first = dirname(write('home/plugins/a/plugin.json', '{'));
    cpSync(first, join(homeDir, 'plugins', 'b'), { recursive: true });
    expect(discover().problems.map((problem) => basename(problem.dir))).toEqual(['a', 'b']);
  });
});

test('a folder without a manifest, read as a plugin, is a problem that says so', () => {
  mkdirSync(join(dir, 'bare'));
  const reading = readPluginFolder(join(dir, 'bare'), 'flag');
  expect(reading).toMatchObject({
    problem: { error: { message: `${join(dir, 'bare', 'plugin.json')}: does not exist` } },
  });
});
