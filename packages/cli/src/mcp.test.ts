import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

const world = createCommandWorld();
world.write('plugins/chatty/plugin.json', {
  ...{ id: 'chatty', name: 'chatty', version: '1.0.0', description: 'For tests.', permissions: ['tools.register'] },
  ...{ runtime: 'native', entry: 'index.mjs' },
});
world.write(
  'plugins/chatty/index.mjs',
  `import { defineTool } from '@toolpost/sdk';
   console.log('a banner');
   export const big = defineTool({ name: 'big', description: 'Says much.', execute: () => { console.log('noise'); return 'x'.repeat(90_000); } });`,
);
const FLAGS = ['--no-bundled', '--yes', '--plugins', join(world.dir, 'plugins')];
const line = (id: number, method: string, params = {}) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const started: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('toolpost mcp', () => {
  it('answers on stdout with messages alone, whatever a plugin prints', async () => {
    const input = line(1, 'tools/list') + line(2, 'tools/call', { name: 'big' });
    const { status, stdout, stderr } = await world.run(['mcp', ...FLAGS], { input });
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(stderr).toContain('noise');
    expect(status).toBe(0);
  });

  it('stands still for no client that does not read', async () => {
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', ...FLAGS], { cwd: world.root, env: world.env });
    started.push(child);
    child.stdout.pause();
    // Far more than a pipe holds, and less than what stops it from reading.
    for (let id = 1; id <= 40; id++) child.stdin.write(line(id, 'tools/call', { name: 'big' }));
    const ended = once(child, 'exit');
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => String(text).includes('noise') && resolve()),
    );
    child.stdin.end();
    const seen: number[] = [];
    createInterface({ input: child.stdout }).on('line', (text) => seen.push(JSON.parse(text).id));
    expect(await ended).toEqual([0, null]);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('with --http says where it is, keeps its token for its owner while it runs, and ends on SIGTERM', async () => {
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--http', '0', ...FLAGS], {
      cwd: world.root,
      env: world.env,
    });
    started.push(child);
    let told = '';
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => {
        told += text;
        if (told.includes('clients send the token')) resolve();
      }),
    );
    const [, url = ''] = /MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(told) ?? [];
    const [, file = ''] = /the token in (.*)/.exec(told) ?? [];
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${readFileSync(file, 'utf8').trim()}`,
    };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const answer = await fetch(url, { method: 'POST', headers, body: line(1, 'initialize', params) });
    expect(await answer.json()).toMatchObject({ result: { serverInfo: { name: 'toolpost' } } });
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(file)).toBe(false);
  });

  it('says what is wrong: a port that is taken, an identity that tokens give', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await world.run(['mcp', '--http', String(port), ...FLAGS]);
    other.close();
    expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining('the port is in use')]);
    const who = await world.run(['mcp', '--http', '0', '--user', 'ann', ...FLAGS]);
    expect([who.status, who.stderr]).toEqual([2, expect.stringContaining('--user says nothing to mcp --http')]);
  });
});
