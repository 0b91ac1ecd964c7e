import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';

let world: HostWorld;
let host: Host;
beforeEach(() => {
  world = createHostWorld();
});
afterEach(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

it('a list waits for plugins that start as long as it is told, and they come to the next one', async () => {
  const slow = `setTimeout(() => import('./main.mjs'), 1500);`;
  world.addProgram('slow', ['slow_tool']);
  world.addProgram('quick', ['quick_tool']);
  world.write('plugins/slow/slow.mjs', slow);
  world.write('plugins/slow/plugin.json', {
    ...{ id: 'slow', name: 'slow', version: '1.0.0', description: 'Starts slowly.', permissions: ['tools.register'] },
    ...{ runtime: 'stdio', entry: `node slow.mjs ${world.dir}/slow.starts slow_tool` },
  });
  host = await world.open();
  const session = host.openSession();
  const names = async (options?: { waitMs: number }) =>
    (await host.listTools(session, options)).definitions.map(({ name }) => name);
  const startedAt = performance.now();
  expect(await names({ waitMs: 700 })).not.toContain('slow_tool');
  expect(performance.now() - startedAt).toBeLessThan(1400);
  expect(await names()).toEqual(expect.arrayContaining(['quick_tool', 'slow_tool']));
  expect(world.starts('slow')).toBe(1);
});
