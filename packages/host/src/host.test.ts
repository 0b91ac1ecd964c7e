import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool } from '@toolpost/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import type { Host } from './host.ts';
import type { HostOptions } from './host-options.ts';
import { openTrust } from './open-trust.ts';

const opened: Host[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

async function open(world: HostWorld, options?: HostOptions) {
  const host = await world.open(options);
  opened.push(host);
  return { host, session: host.openSession() };
}

async function namesIn(world: HostWorld): Promise<string[]> {
  const { host, session } = await open(world);
  const builtin = ['bash', 'edit', 'glob', 'grep', 'read', 'write'];
  return (await host.listTools(session)).definitions.map(({ name }) => name).filter((name) => !builtin.includes(name));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('listing', () => {
  test('starts what is not known, and the next host starts nothing', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    world.addProgram('two', ['b1', 'b2']);
    expect(await namesIn(world)).toEqual(['a1', 'b1', 'b2']);
    expect(await namesIn(world)).toEqual(['a1', 'b1', 'b2']);
    expect([world.starts('one'), world.starts('two')]).toEqual([1, 1]);
  });

  test('a plugin that changed is started again, the others are not', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    world.addProgram('two', ['b1']);
    await namesIn(world);
    world.addProgram('two', ['c1']);
    expect(await namesIn(world)).toEqual(['a1', 'c1']);
    expect([world.starts('one'), world.starts('two')]).toEqual([1, 2]);
  });

  test('a fresh answer takes the place of the cached one', async () => {
    const world = createHostWorld();
    const names = world.write('names.json', '["before"]');
    world.addNative(
      'fickle',
      `import { readFileSync } from 'node:fs';
       import { defineTool, definePlugin } from '@toolpost/sdk';
       const tool = (name) => defineTool({ name, description: 'd', execute: () => name });
       export default definePlugin({ tools: JSON.parse(readFileSync(${JSON.stringify(names)}, 'utf8')).map(tool) });`,
    );
    expect(await namesIn(world)).toEqual(['before']);
    world.write('names.json', '["before", "after"]');
    // In this process the module is loaded already; a tool that moves away is what a restart would show.
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'before')).outcome).toBe('completed');
    expect((await host.listTools(session)).find('before')).toBeDefined();
  });

  test('a plugin without the permission to register tools offers none, and a warning says so', async () => {
    const world = createHostWorld();
    world.addProgram('mute', ['m1'], { permissions: ['hooks.subscribe'] });
    expect(await namesIn(world)).toEqual([]);
    expect(world.warnings.join('\n')).toMatch(/plugin mute.*m1.*lacks the permission "tools.register"/);
  });

  test('hooks without their permission are told as loudly as tools', async () => {
    const world = createHostWorld();
    world.addProgram('guard', [], { permissions: [] });
    await namesIn(world);
    expect(world.warnings.join('\n')).toMatch(
      /plugin guard.*"tools.register" is missing.*"hooks.subscribe" is missing/,
    );
  });

  test('a tool whose name no model takes is told with the alias that models see', async () => {
    const world = createHostWorld();
    world.addProgram('odd', ['my_tool!', 'calendar.read']);
    expect(await namesIn(world)).toEqual(['calendar.read', 'my_tool!']);
    expect(world.warnings).toEqual([
      expect.stringMatching(/^plugin odd: no model's API takes .* "my_tool!": models see it as my_tool_\w+$/),
    ]);
  });

  test('a disabled plugin is neither started nor offered, and its tools cannot be called', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1'], { contributes: { tools: [{ name: 'a1', description: 'd' }] } });
    world.write('home/config.json', { plugins: { disabled: ['one'] } });
    expect(await namesIn(world)).toEqual([]);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'a1')).outcome).toBe('not-found');
    expect((await host.why('a1', session)).candidates[0]).toMatchObject({ plugin: 'one', status: 'disabled' });
    expect(await host.listPlugins()).toMatchObject([{ id: 'one', state: 'inactive' }]);
    expect(world.starts('one')).toBe(0);
  });

  test('one plugin that cannot be read or started stops none of the others', async () => {
    const world = createHostWorld();
    world.addProgram('fine', ['f1']);
    world.write('plugins/no-json/plugin.json', '{');
    world.addNative('throws', 'throw new Error("no module today");');
    const globs = Array.from({ length: 30 }, () => '{a,b}').join('');
    world.addProgram('matcher', ['m1'], {
      permissions: ['tools.register', 'hooks.subscribe'],
      contributes: { hooks: [{ event: 'PreToolUse', matcher: globs }] },
    });
    const { host, session } = await open(world);
    const names = (await host.listTools(session)).definitions.map(({ name }) => name);
    expect(names).toContain('f1');
    const states = Object.fromEntries((await host.listPlugins()).map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({ fine: 'active', 'no-json': 'error', throws: 'error' });
    expect(world.warnings.join('\n')).toMatch(/plugin matcher.*matcher/s);
  });
});

test('a schema of 20,000 levels leaves out its tool alone, wherever it is declared', async () => {
  const world = createHostWorld();
  world.addNative(
    'deep',
    `import { defineTool, definePlugin } from '@toolpost/sdk';
     let schema = { type: 'string' };
     for (let level = 0; level < 20000; level++) schema = { type: 'object', properties: { a: schema } };
     const tool = (name, more) => defineTool({ name, description: 'd', execute: () => 'ok', ...more });
     export default definePlugin({ tools: [tool('too_deep', { inputSchema: schema }), tool('shallow')] });`,
  );
  const schema = `${'{"type":"object","properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)}`;
  const declared = `{"id":"told","name":"told","version":"1.0.0","runtime":"stdio","entry":"node main.mjs","permissions":["tools.register"],
    "contributes":{"tools":[{"name":"told_deep","description":"d","inputSchema":${schema}}]}}`;
  world.addProgram('told', ['told_other']);
  world.write('plugins/told/plugin.json', declared);
  const { host, session } = await open(world);
  expect((await callIn(host, session, 'shallow')).text).toBe('ok');
  expect((await host.listTools(session)).find('too_deep')).toBeUndefined();
  expect((await host.listPlugins()).find(({ id }) => id === 'deep')).toMatchObject({
    state: 'active',
    tools: ['shallow'],
  });
  expect(world.warnings.join('\n')).toMatch(/too_deep.*deep/);
});

describe('a plugin that does not work', () => {
  const broken = "import './gone.ts';\nexport default 1;";

  test('is a warning in one line, once, unless the front end shows it itself', async () => {
    const world = createHostWorld();
    world.addNative('lost', broken);
    world.write('plugins/no-json/plugin.json', '{');
    const { host, session } = await open(world);
    await host.listTools(session);
    await host.listPlugins();
    expect((await callIn(host, session, 'anything')).outcome).toBe('not-found');
    expect(world.warnings.toSorted()).toEqual([
      expect.stringMatching(/^plugin lost does not work: [^\n]*gone\.ts[^\n]* \(`toolpost plugins list` tells more\)$/),
      expect.stringMatching(/^plugin no-json does not work: [^\n]*plugin\.json[^\n]*$/),
    ]);
    world.warnings.length = 0;
    await (await open(world, { warnsOfBroken: false })).host.listPlugins();
    expect(world.warnings).toEqual([]);
  });

  test('crashes with the reason when it is a loose file and its name is called', async () => {
    const world = createHostWorld();
    world.write('plugins/tools/z.ts', 'export const = 3;');
    world.write('plugins/tools/hello.py', 'import nothing_like_it');
    const { host, session } = await open(world);
    const record = await callIn(host, session, 'z');
    expect(record).toMatchObject({ outcome: 'crashed', plugin: 'z' });
    expect(record.text).toMatch(/z\.ts:1 cannot be loaded/);
    expect((await callIn(host, session, 'hello')).text).toContain("No module named 'nothing_like_it'");
  });
});

test('a loose file that has other tools than its name says hides nobody', async () => {
  const world = createHostWorld();
  world.write(
    'plugins/tools/greet.js',
    "import { defineTool } from '@toolpost/sdk';\nexport default defineTool({ name: 'welcome', description: 'd', execute: () => 'hi' });",
  );
  world.addProgram('polite', ['greet']);
  const { host, session } = await open(world);
  expect(await callIn(host, session, 'greet')).toMatchObject({ outcome: 'completed', plugin: 'polite' });
  expect((await callIn(host, session, 'welcome')).text).toBe('hi');
  expect((await host.listTools(session)).find('greet')?.plugin.id).toBe('polite');
});

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

describe('what a plugin gets', () => {
  const storing = `
    import { defineTool, definePlugin } from '@toolpost/sdk';
    export default definePlugin({ tools: [
      defineTool({ name: 'keep', description: 'd', execute: async ({ value }, { storage }) => { await storage.set('k', value); return 'kept'; } }),
      defineTool({ name: 'show', description: 'd', execute: async (_, { storage }) => ({ found: (await storage.get('k')) ?? null }) }),
      defineTool({ name: 'settings', description: 'd', execute: (_, { settings }) => settings }),
    ] });`;

  test('storage of its own for each tenant, that a later host still has', async () => {
    const world = createHostWorld();
    world.addNative('keeper', storing, { permissions: ['tools.register', 'storage.private'] });
    const first = await open(world);
    const [ann, bob] = ['ann', 'bob'].map((tenant) => first.host.openSession({ tenant }));
    if (!ann || !bob) throw new Error('no sessions');
    await callIn(first.host, ann, 'keep', { value: { of: 'ann' } });
    expect((await callIn(first.host, bob, 'show')).structuredContent).toEqual({ found: null });
    expect((await callIn(first.host, first.session, 'show')).structuredContent).toEqual({ found: null });
    const second = await open(world);
    const again = second.host.openSession({ tenant: 'ann' });
    expect((await callIn(second.host, again, 'show')).structuredContent).toEqual({ found: { of: 'ann' } });
  });

  test('without the permission, an error that names it', async () => {
    const world = createHostWorld();
    world.addNative('keeper', storing);
    const { host, session } = await open(world);
    const record = await callIn(host, session, 'keep', { value: 1 });
    expect(record).toMatchObject({ outcome: 'failed', text: expect.stringContaining('"storage.private"') });
  });

  test('its settings: the defaults of its manifest, overlaid by the configuration', async () => {
    const world = createHostWorld();
    const properties = { unit: { type: 'string', default: 'celsius' }, days: { type: 'number', default: 3 } };
    world.addNative('keeper', storing, { contributes: { configuration: { properties } } });
    world.write('home/config.json', { plugins: { settings: { keeper: { days: 7 } } } });
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'settings')).structuredContent).toEqual({ unit: 'celsius', days: 7 });
  });
});

describe('projects', () => {
  const native = `
    import { defineTool, definePlugin } from '@toolpost/sdk';
    const tool = (name) => defineTool({ name, description: 'd', execute: () => name + ' in ' + process.pid });
    export default definePlugin({ tools: [tool('project_tool'), tool('read'), tool('global_tool')] });`;

  async function worldWithProject(): Promise<HostWorld> {
    const world = createHostWorld();
    world.addNative('local', native, {}, 'root/.toolpost/plugins/local');
    world.addProgram('global', ['global_tool']);
    return world;
  }

  async function trust(world: HostWorld, root = world.root): Promise<void> {
    const store = await openTrust({ TOOLPOST_HOME: world.homeDir });
    const check = store.check(root);
    if (check.status === 'refused') throw check.error;
    store.accept(check.files);
  }

  test('are ignored until trusted, and a warning says how', async () => {
    const world = await worldWithProject();
    expect(await namesIn(world)).toEqual(['global_tool']);
    expect(world.warnings.join('\n')).toMatch(/toolpost trust/);
  });

  test('once trusted, run in a process of their own and take no name of another', async () => {
    const world = await worldWithProject();
    await trust(world);
    const { host, session } = await open(world);
    const snapshot = await host.listTools(session);
    const owner = (name: string) => snapshot.find(name)?.plugin.id;
    expect(['project_tool', 'read', 'global_tool'].map(owner)).toEqual(['local', 'builtin', 'global']);
    const pid = Number((await callIn(host, session, 'project_tool')).text.split(' ').at(-1));
    expect(pid).not.toBe(process.pid);
    expect(isAlive(pid)).toBe(true);
  });

  test('a change after they were trusted is noticed right before they are started', async () => {
    const world = await worldWithProject();
    await trust(world);
    const { host, session } = await open(world);
    world.write('root/.toolpost/plugins/local/index.mjs', `${native}\n// changed`);
    expect((await host.listTools(session)).find('project_tool')).toBeUndefined();
    expect((await host.listPlugins()).find(({ id }) => id === 'local')?.error).toMatch(/changed since.*toolpost trust/);
  });

  test('a change while a plugin runs is noticed before it is started again', async () => {
    const world = createHostWorld();
    world.addProgram('local', ['die', 'answer'], {}, 'root/.toolpost/plugins/local');
    await trust(world);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'answer')).outcome).toBe('completed');
    world.write('root/.toolpost/plugins/local/other.mjs', 'new');
    expect((await callIn(host, session, 'answer')).outcome).toBe('completed');
    expect((await callIn(host, session, 'die')).outcome).toBe('crashed');
    expect(await callIn(host, session, 'answer')).toMatchObject({
      outcome: 'crashed',
      text: expect.stringMatching(/changed since.*toolpost trust/),
    });
    expect(world.starts('local')).toBe(1);
  });

  test('in a root inside another root, a change of its own files counts', async () => {
    const world = createHostWorld();
    world.addProgram('outer', ['outer_tool'], {}, 'root/.toolpost/plugins/outer');
    world.addProgram('inner', ['inner_tool'], {}, 'root/sub/.toolpost/plugins/inner');
    const roots = [world.root, join(world.root, 'sub')];
    for (const root of roots) await trust(world, root);
    const { host, session } = await open(world, { roots });
    world.write('root/sub/.toolpost/plugins/inner/main.mjs', 'changed');
    expect((await host.listTools(session)).find('outer_tool')).toBeDefined();
    expect((await host.listPlugins()).find(({ id }) => id === 'inner')?.error).toMatch(/changed since.*root\/sub/);
    expect(world.starts('inner')).toBe(0);
  });
});

describe('embedded', () => {
  const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    inputSchema: z.object({ name: z.string().min(2), times: z.int().default(1) }),
    execute: ({ name, times }) => `Hello, ${name}! `.repeat(times).trimEnd(),
  });

  test("tools of the program are called like any plugin's, with what zod adds", async () => {
    const world = createHostWorld();
    const { host, session } = await open(world, { tools: [greet] });
    expect(await callIn(host, session, 'greet', { name: 'Bob', times: '2' })).toMatchObject({
      outcome: 'completed',
      plugin: 'app',
      text: 'Hello, Bob! Hello, Bob!',
    });
    expect((await callIn(host, session, 'greet', { name: 'B' })).isError).toBe(true);
  });

  test('several hosts in one process do not see one another', async () => {
    const world = createHostWorld();
    const one = await open(world, { tools: [greet] });
    const other = await open(world);
    expect((await callIn(one.host, one.session, 'greet', { name: 'Bob' })).outcome).toBe('completed');
    expect((await callIn(other.host, other.session, 'greet', { name: 'Bob' })).outcome).toBe('not-found');
  });
});

describe('closing', () => {
  test('leaves no process, ends calls in flight, and starts nothing again', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    const { pid } = JSON.parse((await callIn(host, session, 'a1')).text) as { pid: number };
    expect(isAlive(pid)).toBe(true);
    const inFlight = Array.from({ length: 20 }, () => callIn(host, session, 'a1'));
    await host.close();
    expect(isAlive(pid)).toBe(false);
    for (const { outcome } of await Promise.all(inFlight)) expect(['completed', 'crashed']).toContain(outcome);
    expect((await callIn(host, session, 'a1')).outcome).toBe('crashed');
    expect(world.starts('one')).toBe(1);
  });

  test('may be asked for twice, and while plugins still start', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    const listing = host.listTools(session);
    await Promise.all([host.close(), host.close()]);
    await listing;
    expect(world.warnings).toEqual([]);
    rmSync(world.pluginsDir, { recursive: true });
    expect(existsSync(world.pluginsDir)).toBe(false);
  });
});

test('the ids of sessions are unique and sort in the order of their making', async () => {
  const { host } = await open(createHostWorld());
  const ids = Array.from({ length: 20_000 }, () => host.openSession().id);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
