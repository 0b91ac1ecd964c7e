import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { servePluginPath } from './serve-plugin-path.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost served ')));

afterAll(() => rmSync(base, { recursive: true, force: true }));

const GREET = `
  import { defineTool } from '@toolpost/sdk';
  import { z } from 'zod';
  console.log('noise at load');
  setInterval(() => {}, 1000);
  export const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    inputSchema: z.object({ name: z.string() }),
    execute: ({ name }) => { console.log('noise in a call'); return 'Hello, ' + name; },
  });`;

/** Starts the program and speaks version 1 with it: one line out, one line back. */
function serve(target: string) {
  const child = spawn(process.execPath, [servePluginPath(), target], { stdio: 'pipe' });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ask = async (request: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  const end = once(child, 'close').then(([status]) => ({ status, stderr }));
  return { ask, endInput: () => child.stdin.end(), end };
}

it.each([
  ['a folder', (dir: string) => dir],
  ['a single file', (dir: string) => path.join(dir, 'lib/main.ts')],
])(
  'serves %s over stdio, with the SDK and zod of the host and nothing but answers on stdout',
  async (title, target) => {
    const dir = path.join(base, title);
    mkdirSync(path.join(dir, 'lib'), { recursive: true });
    writeFileSync(path.join(dir, 'lib/main.ts'), GREET);
    writeFileSync(path.join(dir, 'plugin.json'), JSON.stringify({ id: 'served', entry: 'lib/main.ts' }));
    const { ask, endInput, end } = serve(target(dir));
    expect(await ask({ method: 'activate', params: { pluginId: 'served' } })).toMatchObject({
      tools: [{ name: 'greet', description: 'Greets.' }],
    });
    const params = { toolName: 'greet', input: '{"name":"Bob"}' };
    expect(await ask({ method: 'execute_tool', params })).toMatchObject({ result: 'Hello, Bob' });
    endInput();
    const { status, stderr } = await end;
    expect(status).toBe(0);
    expect(stderr).toContain('noise at load');
    expect(stderr).toContain('noise in a call');
  },
);

it('ends with the reason on stderr when the plugin cannot be loaded', async () => {
  const file = path.join(base, 'broken.ts');
  writeFileSync(file, 'export enum Kind { A }');
  const { status, stderr } = await serve(file).end;
  expect(status).toBe(1);
  expect(stderr).toMatch(/^broken: .*broken\.ts:1: .*enum.*\n$/s);
});
