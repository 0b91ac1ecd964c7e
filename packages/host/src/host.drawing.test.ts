import { rmSync } from 'node:fs';
import { MAX_UI_CODE_CHARS } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toToolOutput } from './agent/tool-output.ts';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';

const CODE = 'export default () => <b>Ünï \u{1F600}</b>;';

/** Draws in each way that there is. */
const NATIVE = `
import { definePlugin, defineTool, newResultBuilder } from '@toolpost/sdk';
const code = ${JSON.stringify(CODE)};
const tool = (name, execute) => defineTool({ name, description: 'Draws.', ui: { mode: 'genui', param: 'code' }, execute });
export default definePlugin({ tools: [
  tool('object', () => ({ content: 'drawn', ui_code: code })),
  tool('alone', () => ({ uiCode: code })),
  tool('builder', () => newResultBuilder().content('drawn').metadata('ui_code', code).build()),
  tool('over', () => ({ content: 'drawn', metadata: { ui_code: 'other', kept: 1 }, ui_code: code })),
  tool('crowded', () => ({ content: 'drawn', metadata: { junk: 'x'.repeat(1_000_001), kept: 1, ui_code: code } })),
  tool('odd', () => ({ content: 'drawn', metadata: { ui_code: 7 } })),
  tool('huge', () => ({ content: 'drawn', ui_code: 'x'.repeat(${MAX_UI_CODE_CHARS + 1}) })),
  tool('largest', () => ({ content: 'drawn', ui_code: 'x'.repeat(${MAX_UI_CODE_CHARS}) })),
] });`;

/** A plugin without an SDK, in the version that it is told. */
const PROGRAM = `
import { createInterface } from 'node:readline';
const version = Number(process.argv[2]);
const code = ${JSON.stringify(CODE)};
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tools = ['beside', 'within'].map((name) => ({ name: name + version, ui: { mode: 'html', param: 'code' } }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') send({ ...(version === 2 && { protocolVersion: 2 }), tools });
  else if (method !== 'execute_tool') process.exit(0);
  else if (params.toolName.startsWith('beside')) send({ id, result: 'drawn', ui_code: code });
  else send({ id, result: { content: 'drawn', ui_code: code } });
}`;

let world: HostWorld;
let host: Host;
beforeAll(async () => {
  world = createHostWorld();
  world.addNative('native', NATIVE);
  for (const version of [1, 2]) {
    world.write(`plugins/v${version}/main.mjs`, PROGRAM);
    const program = { runtime: 'stdio', executable: 'node', args: ['main.mjs', String(version)] };
    const about = { id: `v${version}`, name: 'v', version: '1.0.0', permissions: ['tools.register'] };
    world.write(`plugins/v${version}/plugin.json`, { ...about, ...program });
  }
  host = await world.open();
});
afterAll(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

const call = (name: string) => callIn(host, host.openSession(), name, {});

describe('what a call draws', () => {
  it.each(['object', 'builder', 'over', 'crowded', 'beside1', 'within1', 'beside2', 'within2'])(
    'is in the metadata of its record, and not in what the model reads: %s',
    async (name) => {
      const record = await call(name);
      expect(record).toMatchObject({ outcome: 'completed', text: 'drawn', metadata: { ui_code: CODE } });
      expect(record.structuredContent).toBeUndefined();
      expect(JSON.stringify(toToolOutput(record))).not.toContain('export default');
      if (name === 'over' || name === 'crowded') expect(record.metadata).toMatchObject({ kept: 1 });
      expect(record.metadata).not.toHaveProperty('junk');
    },
  );

  it('may be all that a tool gives', async () => {
    expect(await call('alone')).toMatchObject({ outcome: 'completed', text: '', metadata: { ui_code: CODE } });
  });

  it('may be as long as is shown; a longer one fails the call, which says so', async () => {
    expect((await call('largest')).metadata?.ui_code).toHaveLength(MAX_UI_CODE_CHARS);
    const record = await call('huge');
    expect(record).toMatchObject({ outcome: 'failed', isError: true });
    expect(record.text).toContain('1000001 characters long, and at most 1000000 are shown');
    expect(record.metadata).toBeUndefined();
    expect((await call('odd')).text).toContain('ui_code must be text, got 7');
  });

  it('is announced at its start with the defaults of the block', async () => {
    const events: unknown[] = [];
    await callIn(host, host.openSession(), 'object', {}, { onEvent: (event) => events.push(event) });
    expect(events[0]).toMatchObject({
      ...{ type: 'tool-call-start', name: 'object' },
      ui: { mode: 'genui', param: 'code', libs: [], surface: 'inline' },
    });
  });
});
