import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildComponent } from './build-component.ts';
import { loadBuildTools } from './build-tools.ts';
import { bundlePlugin } from './bundle-plugin.ts';
import { componentFiles } from './component-files.ts';

let dir: string;

beforeEach(() => {
  dir = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost-build-'))), 'clock');
  mkdirSync(dir);
});

const TOOL = "import { defineTool } from '@toolpost/sdk';\n";

function source(code: string, manifest: object = {}): void {
  const written = { id: 'clock', version: '1.0.0', permissions: ['tools.register'], ...manifest };
  writeFileSync(path.join(dir, 'plugin.json'), JSON.stringify(written));
  writeFileSync(path.join(dir, 'index.ts'), code);
}

async function failureOf(build: Promise<unknown>): Promise<string> {
  const error = await build.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ComponentBuildError' });
  return error instanceof Error ? error.message : '';
}

describe('a component that is built', () => {
  it('lies in dist, with the manifest of its source', async () => {
    source(`${TOOL}export default defineTool({ name: 'now', description: 'Now.', execute: () => 'now' });`, {
      description: 'Tells the time.',
      runtime: 'native',
      entry: 'index.ts',
      timeout: '5s',
    });
    const built = await buildComponent(dir);
    expect(built).toEqual({
      id: 'clock',
      dir: path.join(dir, 'dist'),
      file: path.join(dir, 'dist/clock.wasm'),
      warnings: [],
    });
    expect(JSON.parse(readFileSync(path.join(built.dir, 'plugin.json'), 'utf8'))).toEqual({
      id: 'clock',
      version: '1.0.0',
      description: 'Tells the time.',
      runtime: 'wasm',
      entry: 'clock.wasm',
      permissions: ['tools.register'],
      timeout: '5s',
    });
    expect(readdirSync(built.dir).sort()).toEqual(['clock.wasm', 'plugin.json']);
    // A component, not a core module: layer 1.
    expect([...readFileSync(built.file).subarray(0, 8)]).toEqual([0, 0x61, 0x73, 0x6d, 13, 0, 1, 0]);
  });

  it.each([
    [
      "Node's modules",
      "import { readFileSync } from 'node:fs';\nreadFileSync('x');",
      /index\.ts imports "node:fs", which is Node's: .*@toolpost\/sdk\/fs/,
    ],
    [
      "what is Node's, in a file of its own",
      "import './lib.ts';",
      /lib\.ts imports "child_process", which is Node's: .*syscalls\.spawn/,
    ],
    [
      'a package that is not installed',
      "import 'left-pad-not-there';",
      /left-pad-not-there.*: install it in the plugin's folder/s,
    ],
    [
      'what the SDK has not in a component',
      "import { serveStdio } from '@toolpost/sdk';\nserveStdio({});",
      /serveStdio/,
    ],
    [
      'an await outside of functions',
      'export const one = await Promise.resolve(1);',
      /[Tt]op-level await.*activate of definePlugin/s,
    ],
    ['a mistake of grammar', 'export const = 1;', /index\.ts/],
  ])('does not get %s, and its failure says so', async (_what, code, message) => {
    writeFileSync(path.join(dir, 'lib.ts'), "import { spawn } from 'child_process';\nspawn('x');");
    source(`${TOOL}${code}\nexport default defineTool({ name: 'now', description: 'Now.', execute: () => 'now' });`);
    expect(await failureOf(buildComponent(dir))).toMatch(message);
    expect(readdirSync(dir)).not.toContain('dist');
  });

  it.each([
    [
      'exports no tool',
      'export const one = 1;',
      {},
      /cannot become a component: Error: clock: index\.ts exports no tool \("one" is a number\): export what defineTool or definePlugin gives$/,
    ],
    [
      'has hooks',
      "import { definePlugin } from '@toolpost/sdk';\nexport default definePlugin({ hooks: [{ event: 'PreToolUse', handler() { return undefined; } }] });",
      {},
      /cannot become a component: Error: index\.ts has hooks, and a component has tools alone/,
    ],
    [
      'is a program',
      '',
      { runtime: 'stdio', executable: 'node' },
      /runtime "stdio"; toolpost build makes a component of a native one/,
    ],
    ['has a manifest that is wrong', '', { id: 'a b' }, /is no plugin that can be built: id:/],
    ['has no module', '', { entry: 'main.ts' }, /"entry" in its plugin\.json names main\.ts/],
  ])('is not made of a plugin that %s', async (_what, code, manifest, message) => {
    source(code, manifest);
    expect(await failureOf(buildComponent(dir))).toMatch(message);
  });

  it('is given up when a module never ends, and the process can end', () => {
    source(
      `${TOOL}for (;;) {}\nexport default defineTool({ name: 'now', description: 'Now.', execute: () => 'now' });`,
    );
    const script = `
      const { buildComponent } = await import(process.argv[1]);
      await buildComponent(process.argv[2], { timeoutMs: 500 }).catch((error) => console.log(error.message));
      process.exit(0);`;
    const module = fileURLToPath(new URL('build-component.ts', import.meta.url));
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, module, dir], {
      encoding: 'utf8',
      timeout: 25_000,
    });
    expect(said).toMatch(/index\.ts cannot become a component: it was not done within 500ms/);
  });

  it('does not take the place of its source', async () => {
    source(`${TOOL}export default defineTool({ name: 'now', description: 'Now.', execute: () => 'now' });`);
    const before = readFileSync(path.join(dir, 'plugin.json'), 'utf8');
    for (const outDir of [dir, `${dir}/../clock`])
      expect(await failureOf(buildComponent(dir, { outDir }))).toMatch(/clock is the folder of the source/);
    expect(readFileSync(path.join(dir, 'plugin.json'), 'utf8')).toBe(before);
  });

  it('takes what a package has for browsers, and CommonJS too', async () => {
    const pack = (name: string, manifest: object, files: Record<string, string>) => {
      const folder = path.join(dir, 'node_modules', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, ...manifest }));
      for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
    };
    pack(
      'ids',
      { exports: { browser: './browser.js', default: './node.js' }, type: 'module' },
      {
        'browser.js': "export const id = () => 'of a browser';",
        'node.js': "import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;",
      },
    );
    pack('old', { main: 'old.cjs' }, { 'old.cjs': "exports.old = () => 'of CommonJS';" });
    source(
      `${TOOL}import { id } from 'ids';\nimport { old } from 'old';\nexport default defineTool({ name: 'now', description: 'Now.', execute: () => id() + old() });`,
    );
    const { bundler } = await loadBuildTools(dir);
    const { modules } = componentFiles();
    const code = await bundlePlugin(bundler, { entry: path.join(dir, 'index.ts'), pluginId: 'clock', modules });
    expect(code).toContain('of a browser');
    expect(code).toContain('of CommonJS');
    // QuickJS would never run what waits in an async function.
    expect(code).not.toMatch(/^(?!.*(?:\/\/|\*)).*\basync (?:function|\()/m);
  });

  it('needs tools that are not installed with Toolpost, and says how to get them', async () => {
    const elsewhere = path.join(dir, 'none.js');
    expect(await failureOf(loadBuildTools(dir, elsewhere))).toMatch(
      /needs rolldown and componentize-qjs, which are not installed\. In .*clock run:\n {2}npm install --save-dev rolldown@[\d.]+ componentize-qjs@[\d.]+$/,
    );
  });
});
