import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const copy = mkdtempSync(path.join(tmpdir(), 'toolpost build '));

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the build needs of the repository, with nothing built. */
function copyRepository(): void {
  const isSource = (file: string) => !/[\\/](dist|node_modules|\.cache)$/.test(file);
  for (const name of ['packages', 'plugins', 'python', 'docs', 'scripts'])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.base.json', 'tsconfig.tests.json'])
    cpSync(path.join(root, name), path.join(copy, name));
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

it('builds what runs, whatever a test file says, with the JSON Schemas for editors', async () => {
  copyRepository();
  const wrong = "export const isWrong: number = 'text';\n";
  for (const name of ['cli', 'host', 'protocol', 'sdk'])
    writeFileSync(path.join(copy, 'packages', name, 'src/wrong.test.ts'), wrong);
  await promisify(execFile)(process.execPath, [path.join(copy, 'scripts/build.js')], { cwd: copy });
  const dist = path.join(copy, 'packages/cli/dist');
  expect(existsSync(path.join(dist, 'main.js'))).toBe(true);
  for (const name of ['config.schema.json', 'plugin.schema.json'])
    expect(readFileSync(path.join(dist, name), 'utf8')).toBe(readFileSync(path.join(root, 'docs', name), 'utf8'));
}, 60_000);
