import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { callIn, createHostWorld } from '../fixtures/host-world.ts';
import { createMcpWorld } from './fixtures/mcp-world.ts';

const CHILD = fileURLToPath(new URL('./fixtures/serve-child.ts', import.meta.url));

it('blocks of a Toolpost behind another one are drawn there too, and told to the model once', async () => {
  const inner = createMcpWorld();
  const outer = createHostWorld();
  const settings = JSON.stringify({ roots: [inner.root], pluginDirs: [inner.pluginsDir], yes: true });
  const server = { command: process.execPath, args: [CHILD, settings], env: { TOOLPOST_HOME: inner.homeDir } };
  outer.write('home/config.json', { mcpServers: { inner: server } });
  const host = await outer.open();
  const { metadata, text } = await callIn(host, host.openSession(), 'mcp__inner__blocks');
  await host.close();
  inner.remove();
  expect(metadata?.blocks).toEqual([{ type: 'table', columns: [{ label: 'city' }], rows: [['Oslo']] }]);
  expect(text).toBe('| city |\n| --- |\n| Oslo |');
});
