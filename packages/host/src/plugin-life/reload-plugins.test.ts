import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { callIn, createHostWorld } from '../fixtures/host-world.ts';
import { open } from '../fixtures/open-host.ts';

describe('looking for plugins again', () => {
  it('finds a new plugin and one that changed, forgets one that is gone, and leaves the others running', async () => {
    const world = createHostWorld();
    for (const id of ['same', 'edited', 'leaving']) world.addProgram(id, [`${id}_tool`]);
    const { host, session } = await open(world);
    const pidOf = async (name: string) => JSON.parse((await callIn(host, session, name)).text).pid;
    const before = { same: await pidOf('same_tool'), edited: await pidOf('edited_tool') };
    world.addProgram('edited', ['edited_tool', 'edited_more']);
    world.addProgram('new', ['new_tool']);
    rmSync(join(world.pluginsDir, 'leaving'), { recursive: true });
    expect(await host.reloadPlugins()).toEqual({
      ...{ added: ['new'], changed: ['edited'], removed: ['leaving'], broken: [] },
    });
    expect(await pidOf('same_tool')).toBe(before.same);
    expect(await pidOf('edited_tool')).not.toBe(before.edited);
    expect((await callIn(host, session, 'edited_more')).outcome).toBe('completed');
    expect((await callIn(host, session, 'new_tool')).outcome).toBe('completed');
    expect((await callIn(host, session, 'leaving_tool')).outcome).toBe('not-found');
    expect((await host.listPlugins({ start: false })).map(({ id }) => id)).toEqual(['edited', 'new', 'same']);
    expect(() => process.kill(before.edited, 0)).toThrow('ESRCH');
  });

  it('changes nothing where nothing changed', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    await host.listTools(session);
    expect(await host.reloadPlugins()).toEqual({ added: [], changed: [], removed: [], broken: [] });
    expect(world.starts('one')).toBe(1);
  });

  it('tells which plugin does not work now, keeps its names from others, and takes it once it is mended', async () => {
    const world = createHostWorld();
    world.addProgram('fragile', ['f1']);
    const { host, session } = await open(world);
    await host.listTools(session);
    world.write('plugins/fragile/plugin.json', '{ "id": "fragile", "version": 5 }');
    const { broken, removed } = await host.reloadPlugins();
    expect(broken).toEqual([{ id: 'fragile', error: expect.stringContaining('plugin.json') }]);
    expect(removed).toEqual([]);
    expect((await callIn(host, session, 'f1')).outcome).toBe('crashed');
    world.addProgram('fragile', ['f1']);
    expect(await host.reloadPlugins()).toMatchObject({ changed: ['fragile'], broken: [] });
    expect((await callIn(host, session, 'f1')).outcome).toBe('completed');
  });

  it('asks no hooks any more of a plugin that is gone', async () => {
    const world = createHostWorld();
    world.addProgram('guard', ['g1', '--denies'], { permissions: ['tools.register', 'hooks.subscribe'] });
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    await host.listTools(session);
    expect((await callIn(host, session, 'a1')).outcome).toBe('denied');
    rmSync(join(world.pluginsDir, 'guard'), { recursive: true });
    await host.reloadPlugins();
    expect((await callIn(host, session, 'a1')).outcome).toBe('completed');
  });

  it('tells those who listen that tools may have changed', async () => {
    const world = createHostWorld();
    const { host, session } = await open(world);
    await host.listTools(session);
    const told = Promise.withResolvers<void>();
    host.onToolsChange(told.resolve);
    world.addProgram('new', ['n1']);
    await Promise.all([told.promise, host.reloadPlugins()]);
    expect((await host.listTools(session)).find('n1')).toBeDefined();
  });

  it('reads the changed files of a native plugin, and those that they import, in the same process', async () => {
    const world = createHostWorld();
    world.write('plugins/words/text.mjs', "export const text = 'first';");
    const source = `
      import { defineTool } from '@toolpost/sdk';
      import { text } from './text.mjs';
      export const say = defineTool({ name: 'say', description: 'Says.', execute: () => text });`;
    world.addNative('words', source);
    const program = world.write(
      'program.mjs',
      `import { writeFileSync } from 'node:fs';
       import { createHost } from ${JSON.stringify(import.meta.resolve('@toolpost/host'))};
       const host = await createHost({ roots: [${JSON.stringify(world.root)}], pluginDirs: [${JSON.stringify(world.pluginsDir)}], yes: true });
       const session = host.openSession();
       const say = async () => (await host.callTool({ id: 'c', name: 'say', arguments: '{}' }, session)).text;
       const said = [await say()];
       for (const text of ['second', 'third']) {
         writeFileSync(${JSON.stringify(join(world.pluginsDir, 'words', 'text.mjs'))}, \`export const text = '\${text}';\`);
         await host.reloadPlugins();
         said.push(await say());
       }
       console.log(said.join(' '));
       await host.close();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, TOOLPOST_HOME: world.homeDir },
    });
    expect(stdout).toBe('first second third\n');
  });
});
