import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callIn, createHostWorld } from './fixtures/host-world.ts';
import { namesIn, open } from './fixtures/open-host.ts';

describe('calling', () => {
  test('a declared tool starts its own plugin alone', async () => {
    const world = createHostWorld();
    for (const id of ['one', 'two', 'three']) {
      world.addProgram(id, [`${id}_tool`], { contributes: { tools: [{ name: `${id}_tool`, description: 'd' }] } });
    }
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'two_tool')).outcome).toBe('completed');
    expect(['one', 'two', 'three'].map(world.starts)).toEqual([0, 1, 0]);
  });

  test('a tool that only its own answer names is found too', async () => {
    const world = createHostWorld();
    world.addProgram('quiet', ['hidden']);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'hidden')).outcome).toBe('completed');
  });

  test('a caller that goes away while plugins are asked for their tools is released at once', async () => {
    const world = createHostWorld();
    world.addNative('slow', 'await new Promise((resolve) => setTimeout(resolve, 3000)); export default [];');
    const { host, session } = await open(world);
    const startedMs = performance.now();
    const record = await callIn(host, session, 'whatever', {}, { abortSignal: AbortSignal.timeout(50) });
    expect(record.outcome).toBe('cancelled');
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test('a plugin that is broken keeps its names: they answer crashed and uncover nothing', async () => {
    const world = createHostWorld();
    const contributes = { tools: [{ name: 'read', description: 'd' }] };
    world.addNative('override', 'throw new Error("half a reload");', { contributes });
    const { host, session } = await open(world);
    await host.listTools(session);
    world.write('root/secret.txt', 'the secret');
    const record = await callIn(host, session, 'read', { file_path: join(world.root, 'secret.txt') });
    expect(record).toMatchObject({ outcome: 'crashed', plugin: 'override' });
    expect(record.text).toContain('half a reload');
  });

  test('a plugin that lost its last start keeps the names it had then', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['read']);
    await namesIn(world);
    world.write('plugins/one/main.mjs', 'process.exit(3);');
    const { host, session } = await open(world);
    await host.listTools(session);
    expect(await callIn(host, session, 'read', { file_path: 'x' })).toMatchObject({
      outcome: 'crashed',
      plugin: 'one',
    });
  });

  test('a plugin that died is started again by the next call', async () => {
    const world = createHostWorld();
    world.addProgram('mortal', ['die', 'live']);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'die')).outcome).toBe('crashed');
    expect((await callIn(host, session, 'live')).outcome).toBe('completed');
    expect(world.starts('mortal')).toBe(2);
  });

  test('one that cannot be started again is an error until it can', async () => {
    const world = createHostWorld();
    world.addProgram('mortal', ['die', 'live']);
    const program = readFileSync(join(world.pluginsDir, 'mortal/main.mjs'), 'utf8');
    const { host, session } = await open(world);
    const state = async () => (await host.listPlugins()).map((status) => [status.state, status.error ?? '']);
    await callIn(host, session, 'die');
    world.write('plugins/mortal/main.mjs', 'process.stderr.write("no more\\n"); process.exit(9);');
    expect((await callIn(host, session, 'live')).outcome).toBe('crashed');
    expect(await state()).toEqual([['error', expect.stringContaining('no more')]]);
    world.write('plugins/mortal/main.mjs', program);
    expect((await callIn(host, session, 'live')).outcome).toBe('completed');
    expect(await state()).toEqual([['active', '']]);
  });

  test('a hundred calls of two sessions at once each get their own answer', async () => {
    const world = createHostWorld();
    world.addProgram('shared', ['who'], { sharedAcrossTenants: true });
    const { host } = await open(world);
    const sessions = ['ann', 'bob'].map((user) => host.openSession({ user, tenant: `t-${user}` }));
    const records = await Promise.all(
      sessions.flatMap((session) =>
        Array.from({ length: 100 }, async (_, n) => ({
          session,
          n,
          record: await callIn(host, session, 'who', { n }),
        })),
      ),
    );
    for (const { session, n, record } of records) {
      expect(JSON.parse(record.text)).toMatchObject({
        input: { n },
        context: { sessionId: session.id, user: session.user, tenant: session.tenant },
      });
    }
    expect(world.starts('shared')).toBe(1);
  });

  test('a secret setting of a plugin is in no result and no journal', async () => {
    const world = createHostWorld();
    const properties = { key: { type: 'string', secret: true } };
    world.addNative(
      'leaky',
      `import { defineTool, definePlugin } from '@toolpost/sdk';
       export default definePlugin({ tools: [defineTool({ name: 'leak', description: 'd', execute: (_, { settings }) => settings.key })] });`,
      { contributes: { configuration: { properties } } },
    );
    world.write('home/config.json', { plugins: { settings: { leaky: { key: 'open-sesame' } } } });
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'leak', { key: 'open-sesame' })).text).toBe('[redacted]');
    await host.close();
    const file = join(world.homeDir, 'journal', `${new Date().toISOString().slice(0, 10)}.jsonl`);
    expect(readFileSync(file, 'utf8')).toMatch(/\[redacted\]/);
    expect(readFileSync(file, 'utf8')).not.toContain('sesame');
  });
});

describe('hooks', () => {
  const hooking = `
    import { defineTool, definePlugin } from '@toolpost/sdk';
    export default definePlugin({
      tools: [defineTool({ name: 'echo', description: 'd', execute: (input) => input })],
      hooks: [{ event: 'PreToolUse', matcher: 'e*', handler: () => ({ decision: 'deny', message: 'not today' }) }],
    });`;

  test('of a plugin with the permission are asked, also when the plugin has not run yet', async () => {
    const world = createHostWorld();
    world.addNative('guard', hooking, { permissions: ['tools.register', 'hooks.subscribe'] });
    for (let time = 0; time < 2; time++) {
      const { host, session } = await open(world);
      const record = await callIn(host, session, 'echo');
      expect(record).toMatchObject({ outcome: 'denied', text: expect.stringContaining('not today') });
    }
  });

  test('of one without it are left out with a warning, and those of a disabled one are silent', async () => {
    const world = createHostWorld();
    world.addProgram('guard', ['echo', '--denies']);
    const first = await open(world);
    expect((await callIn(first.host, first.session, 'echo')).outcome).toBe('completed');
    expect(world.warnings.join('\n')).toMatch(/guard.*PreToolUse.*"hooks.subscribe"/);
    world.addNative('native-guard', hooking);
    const listed = await (await open(world)).host.listPlugins();
    expect(listed.find(({ id }) => id === 'native-guard')?.error).toContain('"hooks.subscribe"');

    const other = createHostWorld();
    other.addNative('guard', hooking, { permissions: ['tools.register', 'hooks.subscribe'] });
    other.addProgram('tool', ['every']);
    other.write('home/config.json', { plugins: { disabled: ['guard'] } });
    const second = await open(other);
    expect((await callIn(second.host, second.session, 'every')).outcome).toBe('completed');
  });

  test('that fail closed deny while their plugin cannot start; others are skipped', async () => {
    const world = createHostWorld();
    const contributes = (failClosed: boolean) => ({ hooks: [{ event: 'PreToolUse', matcher: 'every', failClosed }] });
    world.addProgram('tool', ['every']);
    const permissions = ['hooks.subscribe'];
    world.addNative('open', 'throw new Error("broken");', { permissions, contributes: contributes(false) });
    const first = await open(world);
    expect((await callIn(first.host, first.session, 'every')).outcome).toBe('completed');
    expect(world.warnings.join('\n')).toMatch(/PreToolUse hook of plugin open failed, so it was skipped/);
    expect(world.warnings.filter((warning) => warning.includes('\n'))).toEqual([]);
    world.addNative('shut', 'throw new Error("broken");', { permissions, contributes: contributes(true) });
    const second = await open(world);
    expect((await callIn(second.host, second.session, 'every')).outcome).toBe('denied');
  });
});

test('a call runs against the snapshot that its model was sent', async () => {
  const world = createHostWorld();
  world.addProgram('one', ['a1']);
  const { host, session } = await open(world);
  const snapshot = await host.listTools(session);
  const without = await open(createHostWorld());
  const record = await callIn(without.host, without.session, 'a1', {}, { snapshot });
  expect(record).toMatchObject({ outcome: 'completed', plugin: 'one' });
});

test('a key that a plugin prints before it dies is in no error, status, warning or log', async () => {
  const world = createHostWorld();
  const program = `const [one, other] = process.env.OPENAI_API_KEY.split('open');
    process.stderr.write('key is ' + one + 'op', () => setTimeout(() => {
      process.stderr.write('en' + other + '\\n', () => process.exit(4));
    }, 20));`;
  world.addProgram('teller', ['t1'], {
    env: ['OPENAI_API_KEY'],
    contributes: { tools: [{ name: 't1', description: 'd' }] },
  });
  world.write('plugins/teller/main.mjs', program);
  const environment = { ...process.env, TOOLPOST_HOME: world.homeDir, OPENAI_API_KEY: 'sk-open-sesame' };
  const { host, session } = await open(world, { environment });
  const record = await callIn(host, session, 't1');
  const log = readFileSync(join(world.homeDir, 'logs', 'teller.log'), 'utf8');
  const seen = [record, await host.listPlugins(), await host.why('t1', session), world.warnings, log];
  const everything = JSON.stringify(seen);
  expect(record.text).toContain('key is [redacted]');
  expect(everything).not.toContain('sesame');
});
