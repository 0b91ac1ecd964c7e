import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { importModule } from './import-module.ts';
import { defaultPluginModules, offerModules, type PluginModules } from './plugin-modules.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost modules ')));
const withdrawals: (() => void)[] = [];
let folders = 0;

afterEach(() => {
  for (const withdraw of withdrawals.splice(0)) withdraw();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Writes a plugin's files into a folder of its own and offers it the modules. */
function writePlugin(
  files: Record<string, string>,
  options: { modules?: PluginModules; folder?: string } = {},
): string {
  folders += 1;
  const dir = path.join(base, options.folder ?? `plugin ${folders}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  withdrawals.push(offerModules(dir, options.modules ?? defaultPluginModules()));
  return dir;
}

async function errorOf(file: string): Promise<{ code?: string; message: string }> {
  const outcome = await importModule(file, 'sample').catch((error: Error) => error);
  if (!(outcome instanceof Error)) throw new Error('it was loaded');
  return outcome;
}

/** A module that stands for a host's copy, so that a test can tell where an import went. */
function copyNamed(name: string): string {
  const file = path.join(base, `${name}.mjs`);
  writeFileSync(file, `export const copy = ${JSON.stringify(name)};`);
  return `file://${encodeURI(file)}`;
}

describe('the modules that the host offers', () => {
  it.each(['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs'])('reach %s', async (name) => {
    const esm = "import { z } from 'zod'; export const found = z;";
    const dir = writePlugin({
      [name]: name.endsWith('cjs') ? "exports.found = require('zod').z;" : esm,
      'package.json': '{"type":"module"}',
    });
    expect((await importModule(path.join(dir, name), 'sample')).found).toHaveProperty('object');
  });

  it('are the very modules of the host, so that schemas are recognised', async () => {
    const dir = writePlugin({ 'index.ts': "export { z } from 'zod'; export { z as same } from 'zod/v4';" });
    const { z: own, same } = await importModule(path.join(dir, 'index.ts'), 'sample');
    expect((own as typeof z).object).toBe((same as typeof z).object);
  });

  it('reach a folder whose name needs escaping in a URL', async () => {
    const dir = writePlugin({ 'index.ts': "export { z } from 'zod';" }, { folder: 'a #1 100% ä?b' });
    expect(await importModule(path.join(dir, 'index.ts'), 'sample')).toHaveProperty('z');
  });

  it('reach files in linked folders, and modules that those import', async () => {
    const outside = path.join(base, 'linked');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'a.ts'), "export { b } from './b.ts';");
    writeFileSync(path.join(outside, 'b.ts'), "import { z } from 'zod'; export const b: unknown = z;");
    const dir = writePlugin({ 'index.ts': "export { b } from './lib/a.ts';" });
    symlinkSync(outside, path.join(dir, 'lib'));
    expect(await importModule(path.join(dir, 'index.ts'), 'sample')).toHaveProperty('b');
  });

  it('reach a plugin whose own folder is a link', async () => {
    const dir = writePlugin({ 'index.ts': "export { z } from 'zod';" });
    const link = path.join(base, 'link to a plugin');
    symlinkSync(dir, link);
    expect(await importModule(path.join(link, 'index.ts'), 'sample')).toHaveProperty('z');
  });

  it('reach an entry that is itself a link, and a package that a link in node_modules points to', async () => {
    const outside = path.join(base, 'workspace');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'package.json'), '{"name":"shared","exports":"./shared.ts"}');
    writeFileSync(path.join(outside, 'shared.ts'), "import { z } from 'zod'; export const shared: unknown = z;");
    const dir = writePlugin({ 'src/index.ts': "export { shared } from 'shared';", 'node_modules/.keep': '' });
    symlinkSync(outside, path.join(dir, 'node_modules/shared'));
    symlinkSync(path.join(outside, 'shared.ts'), path.join(dir, 'index.ts'));
    expect(await importModule(path.join(dir, 'src/index.ts'), 'sample')).toHaveProperty('shared');
    expect(await importModule(path.join(dir, 'index.ts'), 'sample')).toHaveProperty('shared');
  });

  it('take no name of a language for a module', async () => {
    const dir = writePlugin({ 'index.ts': "import 'constructor';" });
    expect((await errorOf(path.join(dir, 'index.ts'))).message).toContain("Cannot find package 'constructor'");
  });

  it('reach nobody else', async () => {
    const dir = writePlugin({ 'index.ts': '' });
    const sibling = path.join(base, `${path.basename(dir)}-sibling.ts`);
    writeFileSync(sibling, "import '@toolpost/sdk';");
    expect((await errorOf(sibling)).message).toContain("Cannot find package '@toolpost/sdk'");
  });

  it('are gone when they are withdrawn', async () => {
    const dir = writePlugin({ 'index.ts': "import '@toolpost/sdk';" });
    for (const withdraw of withdrawals.splice(0)) withdraw();
    expect((await errorOf(path.join(dir, 'index.ts'))).message).toContain("Cannot find package '@toolpost/sdk'");
  });

  it('leave a plugin its own zod, but not its own SDK: the two must understand each other', async () => {
    const modules = { zod: copyNamed('host-zod'), '@toolpost/sdk': copyNamed('host-sdk') };
    const own = (name: string) => ({
      [`node_modules/${name}/package.json`]: `{"name":"${name}","type":"module","exports":"./index.js"}`,
      [`node_modules/${name}/index.js`]: "export const copy = 'own';",
    });
    const index = "export { copy as zod } from 'zod'; export { copy as sdk } from '@toolpost/sdk';";
    const dir = writePlugin({ 'src/index.ts': index, ...own('zod'), ...own('@toolpost/sdk') }, { modules });
    expect(await importModule(path.join(dir, 'src/index.ts'), 'sample')).toMatchObject({ zod: 'own', sdk: 'host-sdk' });
  });

  it('win over a copy above the folder of the plugin, which is not its own', async () => {
    const above = path.join(base, 'project/node_modules/zod');
    mkdirSync(above, { recursive: true });
    writeFileSync(path.join(above, 'package.json'), '{"type":"module","exports":"./index.js"}');
    writeFileSync(path.join(above, 'index.js'), "export const copy = 'above';");
    const modules = { zod: copyNamed('host-zod-2') };
    const dir = writePlugin({ 'index.ts': "export { copy } from 'zod';" }, { modules, folder: 'project/plugins/x' });
    expect(await importModule(path.join(dir, 'index.ts'), 'sample')).toMatchObject({ copy: 'host-zod-2' });
  });
});

describe('a module that cannot be loaded', () => {
  it('is named with the line of a syntax that cannot be stripped, and what to write instead', async () => {
    const dir = writePlugin({ 'index.ts': "import './kinds.ts';", 'kinds.ts': '\nexport enum Kind { A }\n' });
    const { code, message } = await errorOf(path.join(dir, 'index.ts'));
    expect(code).toBe('PLUGIN_LOAD_FAILED');
    expect(message).toMatch(/^sample: .*kinds\.ts:2: .*enum.*an object or a union in place of an enum$/s);
  });

  it('is named when it is TypeScript of an npm package', async () => {
    const dir = writePlugin({
      'index.ts': "import 'some-package';",
      'node_modules/some-package/package.json': '{"exports":"./index.ts"}',
      'node_modules/some-package/index.ts': 'export const a: number = 1;',
    });
    const { message } = await errorOf(path.join(dir, 'index.ts'));
    expect(message).toContain(`${dir}/node_modules/some-package/index.ts is TypeScript inside a node_modules folder`);
    expect(message).toContain('npm packages ship JavaScript');
  });

  it.each(['ts', 'js'])('is named with the line of a syntax error in a .%s file', async (extension) => {
    const file = `broken.${extension}`;
    const index = `import './${file}';`;
    const dir = writePlugin({
      'index.js': index,
      [file]: '\n\nexport const = 1;\n',
      'package.json': '{"type":"module"}',
    });
    expect((await errorOf(path.join(dir, 'index.js'))).message).toContain(
      `${dir}/${file}:3 cannot be loaded: Unexpected`,
    );
  });

  it('is named with the line that threw', async () => {
    const dir = writePlugin({ 'index.ts': "import './b.ts';", 'b.ts': "\nthrow new Error('no database');" });
    const { message } = await errorOf(path.join(dir, 'index.ts'));
    expect(message).toBe(`sample: ${dir}/b.ts:2 cannot be loaded: no database`);
  });

  it('is named when it threw something that is no error', async () => {
    const dir = writePlugin({ 'index.ts': "throw 'no';" });
    expect((await errorOf(path.join(dir, 'index.ts'))).message).toBe(
      `sample: ${dir}/index.ts cannot be loaded: it threw no`,
    );
  });

  it.each([
    ['no ending', "import './lib/shared';", 'lib/shared.ts', './lib/shared'],
    ["the compiler's ending", "import './lib/shared.js';", 'lib/shared.ts', './lib/shared.js'],
    ['a folder', "import './lib';", 'lib/index.ts', './lib'],
    ['a file above', "export {} from '../shared plugin';", '../shared plugin.ts', '../shared plugin'],
  ])('says what to write for an import with %s', async (_, index, file, written) => {
    const dir = writePlugin({ 'index.ts': index, [file]: 'export const a = 1;' });
    const found = file.startsWith('.') ? file : `./${file}`;
    const { message } = await errorOf(path.join(dir, 'index.ts'));
    expect(message).toBe(
      `sample: ${dir}/index.ts imports '${written}', which does not exist: write '${found}', an import names the whole file`,
    );
  });

  it('says so of a CommonJS module too', async () => {
    const dir = writePlugin({ 'index.cjs': "require('./shared')", 'shared.ts': '' });
    expect((await errorOf(path.join(dir, 'index.cjs'))).message).toContain(
      `${dir}/index.cjs imports './shared', which does not exist: write './shared.ts'`,
    );
  });

  it('asks to install nothing for a file that nowhere is', async () => {
    const dir = writePlugin({ 'index.ts': "import './lib/gone.ts';" });
    expect((await errorOf(path.join(dir, 'index.ts'))).message).toBe(
      `sample: ${dir}/index.ts imports './lib/gone.ts', which does not exist: correct the import`,
    );
  });

  it('is named by its own line, not by the line of ours or of a package that threw', async () => {
    const dir = writePlugin({
      'index.ts': "import './tool.ts';",
      'tool.ts':
        "import { defineTool } from '@toolpost/sdk';\nimport { check } from 'checker';\ncheck(() => defineTool({ name: 'y', description: '', inputSchema: 5, execute: () => '' }));",
      'node_modules/checker/package.json': '{"exports":"./index.mjs"}',
      'node_modules/checker/index.mjs': 'export const check = (work) => work();',
    });
    expect((await errorOf(path.join(dir, 'index.ts'))).message).toMatch(
      `sample: ${dir}/tool.ts:3 cannot be loaded: tool "y": `,
    );
    const other = writePlugin({
      'index.ts': "import { check } from 'checker';\n\ncheck();",
      'node_modules/checker/package.json': '{"exports":"./index.mjs"}',
      'node_modules/checker/index.mjs': "export const check = () => { throw new Error('no key'); };",
    });
    expect((await errorOf(path.join(other, 'index.ts'))).message).toBe(
      `sample: ${other}/index.ts:3 cannot be loaded: no key`,
    );
  });

  it('says how to get a missing package', async () => {
    const dir = writePlugin({ 'index.ts': "import 'not-installed';" });
    const { message } = await errorOf(path.join(dir, 'index.ts'));
    expect(message).toContain("Cannot find package 'not-installed'");
    expect(message).toContain(`npm install in ${dir}`);
  });
});

it('gives a CommonJS module by its names and as the default', async () => {
  const dir = writePlugin({ 'index.cjs': 'module.exports = { a: 1 };' });
  expect(await importModule(path.join(dir, 'index.cjs'), 'sample')).toEqual({ default: { a: 1 }, a: 1 });
});
