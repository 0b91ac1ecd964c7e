import { defineTool } from '@toolpost/sdk';
import { expect, it } from 'vitest';
import { createHostWorld } from './fixtures/host-world.ts';
import { offeredTools } from './offered-tools.ts';

it('a provider that refuses more is offered built-in tools first, and the same ones each time', async () => {
  const world = createHostWorld();
  const names = ['aardvark', 'badger', 'cat'];
  const tools = names.map((name) =>
    defineTool({ name, description: name, inputSchema: { type: 'object' }, execute: () => name }),
  );
  const host = await world.open({ tools });
  try {
    const snapshot = await host.listTools(host.openSession());
    const { tools: offered, warnings } = offeredTools(snapshot, 7);
    expect(offered.map(({ name }) => name)).toEqual(['aardvark', 'bash', 'edit', 'glob', 'grep', 'read', 'write']);
    expect(warnings).toEqual([expect.stringContaining('offered 7 of 9 tools')]);
    expect(offeredTools(snapshot, 9)).toEqual({ tools: snapshot.definitions, warnings: [] });
  } finally {
    await host.close();
  }
});
