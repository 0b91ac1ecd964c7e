import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandWorld } from './fixtures/run-toolpost.ts';

import { addNative, createTesterWorld, pluginsOf, TESTER } from './fixtures/tester-plugin.ts';

const world = createTesterWorld();

const common = () => pluginsOf(world);

describe('tools, why, plugins', () => {
  test('tools --json is one object, the same bytes twice; warnings are on stderr', async () => {
    const config = world.write('odd.json', { colourScheme: 'red' });
    const args = ['tools', '--json', ...common(), '--config', config];
    const [first, second] = [await world.run(args), await world.run(args)];
    expect(second.stdout).toBe(first.stdout);
    const { tools } = JSON.parse(first.stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toContain('echo');
    expect(first.stderr).toMatch(/toolpost: warning: .*colourScheme/);
  });

  test('why tells of a visible tool and its permission, and names near ones of an unknown name', async () => {
    const known = await world.run(['why', 'echo', ...common()]);
    expect(known.status).toBe(0);
    expect(known.stdout).toMatch(
      /^echo: a tool of the plugin tester \(given with --plugins, native\)\n {2}this session sees it\n/,
    );
    const unknown = await world.run(['why', 'ehco', ...common()]);
    expect(unknown.status).toBe(1);
    expect(unknown.stdout).toMatch(/"ehco"[\s\S]*echo/);
    expect(JSON.parse((await world.run(['why', 'echo', '--json', ...common()])).stdout)).toMatchObject({
      visible: true,
    });
  });

  test('why says once and in words where a tool comes from and what hides it', async () => {
    const builtin = await world.run(['why', 'read', ...common()]);
    expect(builtin.stdout).toMatch(/^read: a built-in tool\n {2}this session sees it\nA call of it is decided by:\n/);
    const shadowing = createCommandWorld();
    addNative(shadowing, 'mine', TESTER.replace("'echo'", "'read'"));
    const args = ['--plugins', join(shadowing.dir, 'plugins'), '--no-bundled'];
    expect((await shadowing.run(['why', 'read', ...args])).stdout).toMatch(
      /^read: a tool of the plugin mine \(given with --plugins, native\)\n {2}this session sees it, and it comes before the others of this name\nread: a built-in tool\n {2}hidden: the one of the plugin mine comes first\n/,
    );
    const config = world.write('disabled.json', { plugins: { disabled: ['tester'] } });
    expect((await world.run(['why', 'echo', ...common(), '--config', config])).stdout).toBe(
      'echo: a tool of the plugin tester (given with --plugins, native)\n  hidden: plugin tester is disabled\n',
    );
  });

  test('the hooks of plugins are seen: in why of a tool that they hear of, in plugins list and info', async () => {
    const { write, dir, run } = createCommandWorld();
    write(
      'plugins/gate/index.mjs',
      `
      import { definePlugin } from '@toolpost/sdk';
      export default definePlugin({ hooks: [{ event: 'PreToolUse', matcher: 're*', failClosed: true, handler: () => undefined }] });`,
    );
    write('plugins/gate/plugin.json', {
      id: 'gate',
      version: '1.0.0',
      runtime: 'native',
      entry: 'index.mjs',
      permissions: ['hooks.subscribe'],
    });
    const args = ['--plugins', join(dir, 'plugins'), '--no-bundled'];
    const words = 'PreToolUse of re* (denies when it fails)';
    expect((await run(['why', 'read', ...args])).stdout).toContain(
      `Hooks that hear of its calls:\n  ${words}, by the plugin gate\n`,
    );
    expect((await run(['why', 'bash', ...args])).stdout).not.toContain('Hooks');
    expect((await run(['plugins', 'list', ...args])).stdout).toContain(`\n    hook: ${words}\n`);
    expect((await run(['plugins', 'info', 'gate', ...args])).stdout).toContain(`\nhooks        ${words}\n`);
    expect(JSON.parse((await run(['plugins', 'list', '--json', ...args])).stdout).plugins[0].hooks).toEqual([
      { plugin: 'gate', event: 'PreToolUse', matcher: 're*', failClosed: true },
    ]);
  });

  test('several problems of a manifest stand on a line each, in validate and info', async () => {
    world.write('worse/plugin.json', { id: 'worse', verison: '1.0.0', runtime: 'stdio' });
    const validated = await world.run(['plugins', 'validate', join(world.dir, 'worse')]);
    expect([validated.status, validated.stdout]).toEqual([1, '']);
    expect(validated.stderr).toMatch(/worse is not valid:\n {2}version: missing.*\n {2}verison: unknown key/);
    const { stdout } = await world.run(['plugins', 'info', join(world.dir, 'worse')]);
    expect(stdout).toMatch(/state +error: its plugin.json is not valid\n +version: missing.*\n +verison: unknown key/);
  });

  test('plugins validate has a line for each plugin of a folder, and fails when one is not valid', async () => {
    world.write('several/fine/plugin.json', { id: 'fine', version: '1.0.0', permissions: ['*'] });
    world.write('several/fine/index.js', '');
    world.write('several/poor/plugin.json', { id: 'poor', version: '1.0.0', runtime: 'wasm', entry: 'gone.wasm' });
    const { status, stdout, stderr } = await world.run(['plugins', 'validate', join(world.dir, 'several')]);
    expect([status, stdout]).toEqual([1, 'fine 1.0.0 (native) is valid\n']);
    expect(stderr).toMatch(/poor is not valid: .*gone\.wasm does not exist/);
  });

  test('plugins validate names the field without running anything', async () => {
    world.write('bad-plugin/plugin.json', { id: 'bad-plugin', name: 'b', version: 'one', runtime: 'native' });
    const { status, stdout, stderr } = await world.run(['plugins', 'validate', join(world.dir, 'bad-plugin')]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('version');
    expect((await world.run(['plugins', 'validate', join(world.dir, 'plugins/tester')])).stdout).toMatch(
      /tester 1\.0\.0.*valid/,
    );
  });
});
