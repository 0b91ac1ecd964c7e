import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeTrust } from './describe-trust.ts';
import { readProjectFiles } from './project-files.ts';
import { createTrustStore, type TrustStore } from './trust-store.ts';

let dir: string;
let root: string;
let homeDir: string;
let store: TrustStore;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-trust-')));
  root = join(dir, 'root');
  homeDir = join(dir, 'home');
  mkdirSync(root);
  store = createTrustStore(homeDir);
});

function write(path: string, content: string | Uint8Array = 'x'): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

const accept = () => store.accept(readProjectFiles(root));
const status = () => store.check(root).status;
const names = () => Object.keys(readProjectFiles(root).hashes);

describe('a root', () => {
  test('without project files has nothing to trust', () => {
    write('src/main.ts');
    write('.toolpost/notes.txt');
    mkdirSync(join(root, '.toolpost/plugins/empty'), { recursive: true });
    expect(status()).toBe('nothing-to-trust');
  });

  test.each(['AGENTS.md', '.mcp.json', '.toolpost/config.json', '.toolpost/plugins/a/main.py', '.toolpost/tools/b.ts'])(
    'with %s is unknown until it is accepted, then trusted',
    (name) => {
      write(name);
      expect(status()).toBe('unknown');
      accept();
      expect(status()).toBe('trusted');
      expect(createTrustStore(homeDir).check(join(root, '.')).status).toBe('trusted');
    },
  );

  test('is known by its real path', () => {
    write('AGENTS.md');
    symlinkSync(root, join(dir, 'link'));
    accept();
    expect(store.check(join(dir, 'link')).status).toBe('trusted');
    renameSync(root, join(dir, 'moved'));
    expect(store.check(join(dir, 'moved')).status).toBe('unknown');
  });

  test('is unknown again once forgotten, also when it is gone', () => {
    write('AGENTS.md');
    accept();
    expect(store.forget(root)).toBe(true);
    expect(store.forget(root)).toBe(false);
    expect(status()).toBe('unknown');
    accept();
    rmSync(root, { recursive: true });
    expect(store.forget(root)).toBe(true);
  });

  test('that does not exist is named', () => {
    expect(() => readProjectFiles(join(dir, 'nowhere'))).toThrow(/nowhere does not exist/);
  });
});

describe('what was accepted', () => {
  test.each<[string, () => void, string[]]>([
    [
      'a byte comes',
      () => appendFileSync(join(root, '.toolpost/plugins/a/main.py'), '\n'),
      ['.toolpost/plugins/a/main.py'],
    ],
    ['a file comes', () => write('.toolpost/plugins/a/deep/er/more.py'), ['.toolpost/plugins/a/deep/er/more.py']],
    ['a file goes', () => rmSync(join(root, 'AGENTS.md')), ['AGENTS.md']],
    [
      'a file is renamed',
      () => renameSync(join(root, '.toolpost/tools/t.ts'), join(root, '.toolpost/tools/u.ts')),
      ['.toolpost/tools/t.ts', '.toolpost/tools/u.ts'],
    ],
    ['a hidden folder comes', () => write('.toolpost/plugins/a/.git/hooks/x'), ['.toolpost/plugins/a/.git/hooks/x']],
    [
      'a package is installed',
      () => write('.toolpost/plugins/a/node_modules/p/index.js'),
      ['.toolpost/plugins/a/node_modules/p/index.js'],
    ],
    [
      'a deeper data folder is written',
      () => write('.toolpost/plugins/a/lib/data/x'),
      ['.toolpost/plugins/a/lib/data/x'],
    ],
    ['the tools folder gets a data folder', () => write('.toolpost/tools/data/x'), ['.toolpost/tools/data/x']],
  ])('counts no more when %s', (_, change, changes) => {
    write('AGENTS.md');
    write('.toolpost/plugins/a/main.py');
    write('.toolpost/tools/t.ts');
    accept();
    change();
    expect(store.check(root)).toMatchObject({ status: 'changed', changes });
  });

  test('still counts when a plugin writes its data, Python its cache, a mode changes, or a change is taken back', () => {
    const main = write('.toolpost/plugins/a/main.py', 'x');
    accept();
    write('.toolpost/plugins/a/data/storage.json');
    write('.toolpost/plugins/a/lib/__pycache__/main.pyc');
    write('.toolpost/tools/__pycache__/t.pyc');
    chmodSync(main, 0o755);
    write('src/main.ts');
    expect(status()).toBe('trusted');
    writeFileSync(main, 'y');
    expect(status()).toBe('changed');
    writeFileSync(main, 'x');
    expect(status()).toBe('trusted');
  });

  test('is what was shown, not what is there by then', () => {
    write('AGENTS.md', 'harmless');
    const shown = readProjectFiles(root);
    write('AGENTS.md', 'evil');
    store.accept(shown);
    expect(store.check(root)).toMatchObject({ status: 'changed', changes: ['AGENTS.md'] });
  });

  test('comes with the texts that were hashed', () => {
    write('AGENTS.md', 'Be kind.');
    write('.mcp.json', '{"mcpServers":{}}');
    write('.toolpost/config.json', '{"model":"demo"}');
    expect(readProjectFiles(root)).toMatchObject({
      agents: 'Be kind.',
      mcpConfig: '{"mcpServers":{}}',
      config: '{"model":"demo"}',
    });
  });

  test('any one changed byte of any file is seen', () => {
    const tree = fc.dictionary(
      fc.constantFrom('AGENTS.md', '.mcp.json', '.toolpost/config.json', '.toolpost/plugins/a/x', '.toolpost/tools/y'),
      fc.uint8Array({ minLength: 1, maxLength: 50 }),
      { minKeys: 1, noNullPrototype: true },
    );
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (files, which, where, flip) => {
        rmSync(root, { recursive: true });
        for (const [path, bytes] of Object.entries(files)) write(path, bytes);
        accept();
        const path = Object.keys(files)[which % Object.keys(files).length] ?? '';
        const bytes = Uint8Array.from(files[path] ?? []);
        const index = where % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        write(path, bytes);
        expect(store.check(root)).toMatchObject({ status: 'changed', changes: [path] });
      }),
      { numRuns: 50 },
    );
  });

  test('is kept for its owner alone, one file a root', () => {
    write('AGENTS.md');
    accept();
    accept();
    const [file, ...others] = readdirSync(join(homeDir, 'trust'));
    expect(others).toEqual([]);
    expect(statSync(join(homeDir, 'trust', file ?? '')).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{', '{"root":"/elsewhere","hashes":{}}', '[]', 'null', '{"hashes":5}'])(
    'is nothing when its record is damaged: %s',
    (record) => {
      write('AGENTS.md');
      accept();
      const [file] = readdirSync(join(homeDir, 'trust'));
      writeFileSync(join(homeDir, 'trust', file ?? ''), record);
      expect(status()).toBe('unknown');
    },
  );
});

describe('a link among project files', () => {
  test('to a file of the project counts with what is there', () => {
    write('src/tool.ts', 'x');
    link('../../src/tool.ts', '.toolpost/tools/tool.ts');
    write('shared/util.py', 'x');
    link('../../shared', '.toolpost/plugins/a');
    expect(names()).toEqual(['.toolpost/plugins/a', '.toolpost/plugins/a/util.py', '.toolpost/tools/tool.ts'].sort());
  });

  test('changes the project when what is there changes', () => {
    write('src/tool.ts', 'x');
    link('../../src/tool.ts', '.toolpost/tools/tool.ts');
    accept();
    write('src/tool.ts', 'y');
    expect(store.check(root)).toMatchObject({ status: 'changed', changes: ['.toolpost/tools/tool.ts'] });
  });

  test('that leads in a circle ends', () => {
    write('.toolpost/plugins/a/main.py');
    link('..', '.toolpost/plugins/a/loop');
    expect(names()).toEqual(['.toolpost/plugins/a/loop', '.toolpost/plugins/a/main.py']);
  });

  test('in place of the data folder is no data folder', () => {
    write('src/main.py');
    link('../../../src', '.toolpost/plugins/a/data');
    expect(names()).toEqual(['.toolpost/plugins/a/data', '.toolpost/plugins/a/data/main.py']);
  });

  test.each([
    ['a file', '.toolpost/tools/evil.ts', '/etc/hostname', 'leads out of the project'],
    ['a folder', '.toolpost/plugins/evil', '/etc', 'leads out of the project'],
    ['a sibling whose name starts like the root', '.toolpost/plugins/evil', '../../../root-evil', 'leads out'],
    ['the instructions', 'AGENTS.md', '/etc/hostname', 'leads out of the project'],
    ['nothing', '.toolpost/tools/gone.ts', 'nowhere.ts', 'leads to nothing'],
  ])('that leads out or nowhere is refused by name: %s', (_, path, target, reason) => {
    mkdirSync(join(dir, 'root-evil'), { recursive: true });
    link(target, path);
    const check = store.check(root);
    expect(check.status).toBe('refused');
    expect(describeTrust(check)).toContain(`cannot be trusted: ${join(root, path)} `);
    expect(accept).toThrow(reason);
  });

  test('that is .toolpost itself and leads out is refused', () => {
    mkdirSync(join(dir, 'outside', 'tools'), { recursive: true });
    writeFileSync(join(dir, 'outside', 'tools', 't.ts'), 'x');
    link('../outside', '.toolpost');
    expect(status()).toBe('refused');
  });
});

describe('what cannot be pinned is refused by name', () => {
  test('a pipe, without waiting for a writer', () => {
    mkdirSync(join(root, '.toolpost', 'tools'), { recursive: true });
    execFileSync('mkfifo', [join(root, '.toolpost/tools/pipe.ts')]);
    expect(accept).toThrow(/pipe\.ts is a pipe/);
  });

  test('a heap of bytes', () => {
    truncateSync(write('.toolpost/plugins/a/model.bin'), 300 * 1024 * 1024);
    expect(accept).toThrow(/more than 256 MiB/);
  });

  test('an AGENTS.md of megabytes', () => {
    truncateSync(write('AGENTS.md'), 5 * 1024 * 1024);
    expect(accept).toThrow(/AGENTS\.md is larger than 1 MiB/);
  });
});

describe('the line that tells of ignored files', () => {
  test('names them, a plugin as one, and what to do', () => {
    write('AGENTS.md');
    write('.toolpost/plugins/a/main.py');
    write('.toolpost/plugins/a/plugin.json');
    const line = describeTrust(store.check(root));
    expect(line).toBe(
      `ignored until trusted, in ${root}: .toolpost/plugins/a (2 files), AGENTS.md; after reading them: toolpost trust ${root}`,
    );
  });

  test('names what has changed', () => {
    write('AGENTS.md');
    accept();
    write('AGENTS.md', 'y');
    expect(describeTrust(store.check(root))).toMatch(
      /^ignored, because changed|^ignored because changed since trusted, in .*: AGENTS\.md;/,
    );
  });

  test('is not there when nothing is ignored', () => {
    expect(describeTrust(store.check(root))).toBeUndefined();
    write('AGENTS.md');
    accept();
    expect(describeTrust(store.check(root))).toBeUndefined();
  });

  test('stays one line, whatever a file is called, and however many there are', () => {
    for (let i = 0; i < 50; i++) write(`.toolpost/plugins/a${i}\nrun this: rm -rf/main.py`);
    const line = describeTrust(store.check(root)) ?? '';
    expect(line).not.toContain('\n');
    expect(line).toContain('and 44 more');
    expect(line.length).toBeLessThan(1000);
  });
});
