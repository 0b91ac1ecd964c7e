import { describe, expect, test } from 'vitest';
import { callIn, createHostWorld } from './fixtures/host-world.ts';
import { namesIn, open } from './fixtures/open-host.ts';

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

  test('a single file that handles actions is told, each time, that this needs a plugin folder', async () => {
    const world = createHostWorld();
    const source = 'import toolpost\n@toolpost.tool\ndef t() -> str:\n  "T."\n  return "t"\n';
    const serve = 'toolpost.serve()\n';
    world.write('plugins/act.py', `${source}@toolpost.web_ui_action\ndef act(event): return False\n${serve}`);
    world.write('plugins/plain.py', source.replaceAll('t()', 'plain()') + serve);
    world.write(
      'plugins/say.ts',
      `import { definePlugin } from '@toolpost/sdk'; export default definePlugin({ webUiAction: () => false });`,
    );
    const needed = /a single file registers tools alone.*plugin folder whose plugin.json/;
    for (const _ of [1, 2]) {
      world.warnings.splice(0);
      expect(await namesIn(world)).toEqual(expect.arrayContaining(['plain', 't']));
      const told = world.warnings.filter((warning) => needed.test(warning));
      expect(told.map((warning) => /^plugin \w+/.exec(warning)?.[0]).sort()).toEqual(['plugin act', 'plugin say']);
      for (const warning of told) expect(warning).toContain('ui.contribute');
      expect(world.warnings).toHaveLength(2);
    }
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
      expect.stringMatching(
        /^plugin lost does not work: [^\n]*gone\.ts[^\n]* \(`toolpost plugins list --plugins [^\n ]+` tells more\)$/,
      ),
      expect.stringMatching(/^plugin no-json does not work: [^\n]*plugin\.json[^\n]*$/),
    ]);
    world.warnings.length = 0;
    await (await open(world, { warnsOfBroken: false })).host.listPlugins();
    expect(world.warnings).toEqual([]);
  });

  test('in Python is told by its last words on standard error, with file and line', async () => {
    const world = createHostWorld();
    world.write('plugins/bad.py', 'import toolpost\n\ndef bad(\n');
    const odd = '@toolpost.tool\ndef t(): pass\n\n@toolpost.web_ui_action\ndef act(action, data): pass\n';
    world.write('plugins/odd.py', `import toolpost\n${odd}`);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'bac')).text).not.toContain('Did you mean bad');
    expect((await host.why('bac', session)).similar).not.toContain('bad');
    expect(world.warnings.toSorted()).toEqual([
      expect.stringMatching(/exited with status 1\. \/\S+\/plugins\/bad\.py:\d: SyntaxError: .+ \(`/),
      expect.stringMatching(
        /exited with status 1\. \/\S+\/plugins\/odd\.py:\d: TypeError: act\(action, data\) takes one/,
      ),
    ]);
    expect((await callIn(host, session, 'bad')).outcome).toBe('crashed');
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
