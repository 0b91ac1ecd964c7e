import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CallRecord, JsonObject } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHost, type Host } from '../src/host.ts';

const { resolve } = createRequire(import.meta.url);
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==';

let dir: string;
let host: Host;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-official-')));
});

afterEach(() => host.close());

/** The program of an official server, as its package names it. */
function programOf(name: string): string {
  return join(dirname(resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js');
}

interface Scenario {
  readonly name: string;
  args?(): string[];
  env?(): Record<string, string>;
  /** Puts there what the calls need. */
  prepare(): void;
  /** Every tool once, in this order, with what its result's text has. */
  calls(): readonly (readonly [tool: string, input: JsonObject, text: RegExp])[];
}

const file = (name: string) => join(dir, name);

const EVERYTHING: Scenario = {
  name: 'server-everything',
  prepare: () => undefined,
  calls: () => [
    ['echo', { message: 'hi 😀' }, /^Echo: hi 😀$/],
    ['get-annotated-message', { messageType: 'error', includeImage: true }, /Error/],
    ['get-env', {}, /PATH/],
    ['get-resource-links', { count: 2 }, /2/],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }, /resource/i],
    ['get-structured-content', { location: 'Chicago' }, /temperature/],
    ['get-sum', { a: 2, b: 40 }, /42/],
    ['get-tiny-image', {}, /image/],
    ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }, /^/],
    ['toggle-simulated-logging', {}, /logging/i],
    ['toggle-subscriber-updates', {}, /updates/i],
    ['trigger-long-running-operation', { duration: 0.2, steps: 2 }, /completed/],
    ['trigger-elicitation-request', {}, /Ann/],
    ['simulate-research-query', { topic: 'tides' }, /./],
  ],
};

const FILESYSTEM: Scenario = {
  name: 'server-filesystem',
  args: () => [dir],
  prepare() {
    writeFileSync(file('a.txt'), 'one\ntwo\n');
    writeFileSync(file('old.txt'), 'moved');
    writeFileSync(file('a.png'), Buffer.from(PIXEL, 'base64'));
  },
  calls: () => [
    ['read_file', { path: file('a.txt') }, /one\ntwo/],
    ['read_text_file', { path: file('a.txt'), head: 1 }, /one/],
    ['read_media_file', { path: file('a.png') }, /^/],
    ['read_multiple_files', { paths: [file('a.txt'), file('old.txt')] }, /moved/],
    ['write_file', { path: file('b.txt'), content: 'three' }, /Successfully/],
    ['edit_file', { path: file('b.txt'), edits: [{ oldText: 'three', newText: 'four' }] }, /\+four/],
    ['create_directory', { path: file('sub') }, /Successfully/],
    ['list_directory', { path: dir }, /\[DIR\] sub/],
    ['list_directory_with_sizes', { path: dir }, /a\.txt/],
    ['directory_tree', { path: dir }, /"a\.txt"/],
    ['move_file', { source: file('old.txt'), destination: file(`moved-${Date.now()}.txt`) }, /Successfully/],
    ['search_files', { path: dir, pattern: '*.png' }, /a\.png/],
    ['get_file_info', { path: file('a.txt') }, /size: 8/],
    ['list_allowed_directories', {}, /toolpost-official/],
  ],
};

const MEMORY: Scenario = {
  name: 'server-memory',
  env: () => ({ MEMORY_FILE_PATH: file('memory.jsonl') }),
  prepare: () => undefined,
  calls: () => [
    [
      'create_entities',
      { entities: ['ann', 'bob'].map((name) => ({ name, entityType: 'person', observations: [] })) },
      /^/,
    ],
    ['create_relations', { relations: [{ from: 'ann', to: 'bob', relationType: 'knows' }] }, /^/],
    ['add_observations', { observations: [{ entityName: 'ann', contents: ['likes tea'] }] }, /tea/],
    ['read_graph', {}, /likes tea/],
    ['search_nodes', { query: 'tea' }, /ann/],
    ['open_nodes', { names: ['bob'] }, /bob/],
    ['delete_observations', { deletions: [{ entityName: 'ann', observations: ['likes tea'] }] }, /deleted/i],
    ['delete_relations', { relations: [{ from: 'ann', to: 'bob', relationType: 'knows' }] }, /deleted/i],
    ['delete_entities', { entityNames: ['ann', 'bob'] }, /deleted/i],
  ],
};

async function open({ name, args, env }: Scenario): Promise<void> {
  const server = { command: process.execPath, args: [programOf(name), ...(args?.() ?? [])], env: env?.() ?? {} };
  const config = join(dir, 'config.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { official: server } }));
  const environment = { ...process.env, TOOLPOST_HOME: join(dir, 'home') };
  host = await createHost({ environment, configFile: config, roots: [], yes: true });
}

async function call(tool: string, input: JsonObject): Promise<CallRecord> {
  const request = { id: tool, name: `mcp__official__${tool}`, arguments: JSON.stringify(input) };
  return host.callTool(request, host.openSession(), {
    ask: async () => ({ action: 'accept', content: { name: 'Ann', check: true, firstLine: 'Ann' } }),
  });
}

async function callAll(scenario: Scenario): Promise<void> {
  scenario.prepare();
  for (const [tool, input, text] of scenario.calls()) {
    const record = await call(tool, input);
    expect(record, tool).toMatchObject({ outcome: 'completed', text: expect.stringMatching(text) });
  }
}

describe.each([EVERYTHING, FILESYSTEM, MEMORY])('the official $name', (scenario) => {
  test('has every tool called, and again after it was killed', async () => {
    await open(scenario);
    const listed = (await host.listTools(host.openSession())).definitions.map(({ name }) => name);
    const tools = listed.filter((name) => name.startsWith('mcp__')).map((name) => name.replace('mcp__official__', ''));
    expect(
      scenario
        .calls()
        .map(([tool]) => tool)
        .sort(),
    ).toEqual(tools.sort());
    await callAll(scenario);
    const [first] = (await host.listPlugins()).flatMap(({ processes }) => processes);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    const running = async () => (await host.listPlugins({ start: false })).flatMap(({ processes }) => processes);
    await expect.poll(running).toEqual([]);
    await callAll(scenario);
  }, 60_000);
});
