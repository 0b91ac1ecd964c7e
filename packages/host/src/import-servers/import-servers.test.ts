import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportReport, importServers } from './import-servers.ts';

let dir: string;
let home: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-import-'));
  home = join(dir, 'home');
});

function importText(text: string): Promise<ImportReport> {
  const file = join(dir, 'client.json');
  writeFileSync(file, text);
  return importServers(file, { environment: { TOOLPOST_HOME: home } });
}

const importFile = (content: object) => importText(JSON.stringify(content));
const written = (): { mcpServers: object } => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'));

describe('the servers of', () => {
  test.each([
    [
      'Claude Desktop, Claude Code and Cursor',
      { mcpServers: { fs: { command: 'npx', args: ['-y', 'server', '.'], env: { A: `\${A:-1}` } } } },
      { command: 'npx', args: ['-y', 'server', '.'], env: { A: `\${A:-1}` } },
    ],
    [
      'Claude Code, with an address',
      {
        mcpServers: { fs: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: `Bearer \${T}` } } },
      },
      { url: 'https://a.example/mcp', headers: { Authorization: `Bearer \${T}` } },
    ],
    [
      'Claude Code, with the older way of HTTP',
      { mcpServers: { fs: { type: 'sse', url: 'https://a.example/sse' } } },
      { url: 'https://a.example/sse', type: 'sse' },
    ],
    [
      'Windsurf',
      { mcpServers: { fs: { serverUrl: 'https://a.example/mcp', disabled: true } } },
      { url: 'https://a.example/mcp', disabled: true },
    ],
    [
      'VS Code',
      { servers: { fs: { type: 'stdio', command: 'uvx', args: ['server'], env: { KEY: `\${env:KEY}` } } } },
      { command: 'uvx', args: ['server'], env: { KEY: `\${KEY}` } },
    ],
    [
      'the settings of VS Code',
      { 'editor.fontSize': 12, mcp: { servers: { fs: { command: 'uvx' } } } },
      { command: 'uvx', args: [] },
    ],
    [
      'opencode',
      {
        mcp: {
          fs: { type: 'local', command: ['bun', 'x', 'server'], environment: { A: 1 }, enabled: false, timeout: 5000 },
        },
      },
      { command: 'bun', args: ['x', 'server'], env: { A: '1' }, disabled: true, timeout: '5s' },
    ],
    [
      'opencode, with an address',
      { mcp: { fs: { type: 'remote', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer {env:T}' } } } },
      { url: 'https://a.example/mcp', headers: { Authorization: `Bearer \${T}` } },
    ],
  ])('%s are taken', async (_client, file, entry) => {
    const { taken, notTaken } = await importFile(file);
    expect(notTaken).toEqual([]);
    expect(taken.map(({ notes }) => notes)).toEqual([[]]);
    expect(written().mcpServers).toEqual({ fs: entry });
  });
});

test('a file with comments and trailing commas is read', async () => {
  const { taken } = await importText(
    '{ // mine\n "servers": { "fs": { "command": "a//b", /* x */ "args": ["1",], }, // y\n }, }',
  );
  expect(taken[0]?.entry).toEqual({ command: 'a//b', args: ['1'] });
});

test('what is not taken of a server is told', async () => {
  const { taken } = await importFile({
    mcpServers: {
      'my server': {
        command: 'a',
        args: [`\${workspaceFolder}/x`, `\${input:api-key}`],
        alwaysAllow: ['t'],
        envFile: '.env',
        timeout: 600_000,
      },
    },
  });
  expect(taken[0]).toEqual({
    id: 'my-server',
    entry: { command: 'a', args: [`\${workspaceFolder}/x`, `\${API_KEY}`], timeout: '5m' },
    notes: [
      'its id is my-server here',
      'its timeout is cut to 5m; `maxTimeout` is for calls that report progress',
      '"alwaysAllow" is not taken: rules in "permissions" say what is allowed here',
      '"envFile" is not taken: there is nothing like it here',
      'what it asks for as "api-key" is taken from the variable API_KEY here',
      `\${workspaceFolder} means nothing here: put a path in its place`,
    ],
  });
});

test('servers that cannot be taken are told, and stop no other', async () => {
  const { taken, notTaken } = await importFile({
    mcpServers: { a: { command: 'x' }, b: 5, c: {}, '!': { command: 'x' } },
  });
  expect(taken.map(({ id }) => id)).toEqual(['a']);
  expect(notTaken).toEqual([
    { id: 'b', reason: 'it is 5' },
    { id: 'c', reason: 'it has neither a command nor a url' },
    { id: '!', reason: 'no id can be made of its name' },
  ]);
});

test('what the configuration has already stays as it is, and so does the rest of it', async () => {
  await importFile({ mcpServers: { a: { command: 'x' } } });
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ ...written(), permissions: { deny: ['bash'] } }));
  const { notTaken } = await importFile({
    mcpServers: { A: { command: 'other' }, a: { command: 'x' }, b: { command: 'y' } },
  });
  expect(notTaken.map(({ reason }) => reason)).toEqual([
    'there is another server "A" already, which stays as it is',
    'it is there already',
  ]);
  expect(written()).toEqual({
    mcpServers: { a: { command: 'x', args: [] }, b: { command: 'y', args: [] } },
    permissions: { deny: ['bash'] },
  });
  expect(statSync(config).mode & 0o777).toBe(0o600);
});

test("servers of Claude Code's single projects are told", async () => {
  const { notes } = await importFile({
    mcpServers: {},
    projects: { '/p': { mcpServers: { x: { command: 'x' } } }, '/q': {} },
  });
  expect(notes).toEqual(['the servers of the project /p are not taken: put them into its .mcp.json']);
});

test.each([
  ['{', /client\.json cannot be imported: it is not JSON at line 1/],
  ['{"servers": []}', /it has no MCP servers; they are looked for in mcpServers \(Claude Desktop/],
])('a file that holds none is an error: %s', async (text, message) => {
  await expect(importText(text)).rejects.toThrow(message);
});

test('a server that the configuration would refuse is not written', async () => {
  await expect(importFile({ mcpServers: { a: { command: '' } } })).rejects.toThrow(/mcpServers\.a\.command/);
});
