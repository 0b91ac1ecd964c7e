import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host, SessionOptions } from '../host.ts';

let world: HostWorld;
let host: Host | undefined;
beforeEach(() => {
  world = createHostWorld();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  rmSync(world.dir, { recursive: true, force: true });
});

const PERMITTED = { permissions: ['context.enrich'] };
const never = new AbortController().signal;

function addEnricher(
  id: string,
  body: string,
  { more = PERMITTED, priority = '' }: { more?: object; priority?: string } = {},
) {
  const source = `
    import { definePlugin } from '@toolpost/sdk';
    export default definePlugin({ enrichers: [{ name: 'about ${id}', ${priority} enrich: async (session, signal) => { ${body} } }] });`;
  world.addNative(id, source, { ...more });
}

/** A stdio plugin: its version, and what it does with an `enrich` request. */
function addProgram(id: string, version: 1 | 2, onEnrich: string) {
  world.write(
    `plugins/${id}/main.mjs`,
    `import { createInterface } from 'node:readline';
     const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
     for await (const line of createInterface({ input: process.stdin })) {
       const { id, method, params } = JSON.parse(line);
       if (method === 'activate') send({ ${version === 2 ? 'protocolVersion: 2, ' : ''}enrichers: [{ name: 'wire' }] });
       else if (method === 'enrich') { ${onEnrich} }
       else if (method === 'deactivate') process.exit(0);
     }`,
  );
  const manifest = { id, name: id, version: '1.0.0', description: 'd', runtime: 'stdio', entry: 'node main.mjs' };
  world.write(`plugins/${id}/plugin.json`, { ...manifest, permissions: ['context.enrich'] });
}

async function enrich(options: SessionOptions = {}, abortSignal = never) {
  host ??= await world.open();
  return host.enrichContext(host.openSession(options), abortSignal);
}

describe('the context that plugins add', () => {
  it('holds what is for the channel of the session; for another one its plugin is not started again', async () => {
    addEnricher('page', "return 'You can draw.';", { priority: "channels: ['web'], " });
    expect((await enrich({ channel: 'web' })).text).toContain('You can draw.');
    expect(await enrich({ channel: 'cli' })).toEqual({ text: '', warnings: [] });
    await host?.close();
    // Its offer is known now.
    const again = await world.open();
    host = again;
    expect((await enrich({ channel: 'cli' })).text).toBe('');
    expect((await again.listPlugins({ start: false })).map(({ state }) => state)).toContain('discovered');
  });

  it('holds a section for each enricher, lowest priority first, native and over both versions of stdio', async () => {
    addEnricher('native', "return 'The user is ' + session.user + '.';", { priority: 'priority: 200,' });
    addEnricher('urgent', "return 'First.';", { priority: 'priority: 1,' });
    addProgram('one', 1, "send({ result: 'version 1 for ' + params.enricherName });");
    addProgram('two', 2, "send({ id, result: 'version 2 in ' + params.channel });");
    expect(await enrich({ user: 'ann', channel: 'web' })).toEqual({
      text: [
        '\n## about urgent (urgent)\nFirst.\n',
        '\n## wire (one)\nversion 1 for wire\n',
        '\n## wire (two)\nversion 2 in web\n',
        '\n## about native (native)\nThe user is ann.\n',
      ].join(''),
      warnings: [],
    });
  });

  it('leaves out what fails, gives no text or says nothing, with a warning for each failure', async () => {
    addEnricher('broken', "throw new Error('the clock stands still');");
    addEnricher('number', 'return 5;');
    addEnricher('silent', "return '';");
    addProgram('refuses', 2, "send({ id, error: 'not today' });");
    const { text, warnings } = await enrich();
    expect(text).toBe('');
    expect(warnings).toEqual([
      'plugin broken: its context "about broken" is left out of this turn: the clock stands still',
      'plugin number: its context "about number" is left out of this turn: the enricher about number must give text, got 5',
      'plugin refuses: its context "wire" is left out of this turn: not today',
    ]);
  });

  it('waits two seconds at most, for all together, and a plugin that hangs in one goes on working', async () => {
    addEnricher('hangs', 'return new Promise(() => {});');
    addEnricher('quick', "return 'Here.';");
    addProgram('mute', 2, "if (params.channel === 'web') send({ id, result: 'Awake.' });");
    await enrich({ channel: 'web' });
    const began = performance.now();
    const { text, warnings } = await enrich();
    expect(performance.now() - began).toBeLessThan(3500);
    expect(text).toBe('\n## about quick (quick)\nHere.\n');
    expect(warnings).toEqual([
      expect.stringContaining(
        'plugin hangs: its context "about hangs" is left out of this turn: it did not answer within 2000 ms',
      ),
      expect.stringContaining('plugin mute'),
    ]);
  });

  it('is bounded in size, whole in its characters, and one line for a name', async () => {
    addEnricher('large', "return '😀'.repeat(20000);");
    const { text } = await enrich();
    expect(text.length).toBeLessThan(16_200);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('24000 characters left out');
  });

  it('needs the permission "context.enrich"', async () => {
    addEnricher('lawless', "return 'x';", { more: { permissions: ['tools.register'] } });
    world.write(
      'plugins/sly/main.mjs',
      `process.stdin.once('data', () => console.log('{"enrichers":[{"name":"sly"}],"tools":[{"name":"sly","description":""}]}'));`,
    );
    const manifest = {
      id: 'sly',
      name: 'sly',
      version: '1.0.0',
      description: 'd',
      runtime: 'stdio',
      entry: 'node main.mjs',
    };
    world.write('plugins/sly/plugin.json', { ...manifest, permissions: ['tools.register'] });
    host = await world.open();
    await host.listPlugins();
    expect((await enrich()).text).toBe('');
    expect(world.warnings).toContainEqual(
      'plugin sly: its enrichers (sly) are left out, because its plugin.json lacks the permission "context.enrich"',
    );
    const lawless = (await host.listPlugins()).find(({ id }) => id === 'lawless');
    expect(lawless?.error).toContain('lacks the permission "context.enrich"');
  });

  it('of a plugin for one tenant is for that tenant alone', async () => {
    addEnricher('acme_only', "return 'Secret plan.';");
    world.write('home/config.json', { tenants: { acme: { plugins: ['acme_only'] } } });
    expect((await enrich({ tenant: 'other' })).text).toBe('');
    expect((await enrich({ tenant: 'acme' })).text).toContain('Secret plan.');
  });

  it('masks known secrets', async () => {
    addEnricher('leaky', "return 'key sk-very-secret-1';");
    host = await world.open({
      environment: { ...process.env, TOOLPOST_HOME: world.homeDir, OPENAI_API_KEY: 'sk-very-secret-1' },
    });
    expect((await enrich()).text).toBe('\n## about leaky (leaky)\nkey [redacted]\n');
  });

  it('is known from the cache, so that a list starts nothing for it', async () => {
    addProgram('two', 2, "send({ id, result: 'Hello.' });");
    await enrich();
    await host?.close();
    host = await world.open();
    expect((await host.listPlugins({ start: false }))[0]?.state).toBe('discovered');
    expect((await enrich()).text).toContain('Hello.');
  });

  it('is given up at once with the turn', async () => {
    addEnricher('hangs', 'return new Promise(() => {});');
    host = await world.open();
    const abort = new AbortController();
    const asked = enrich({}, abort.signal);
    abort.abort();
    expect(await asked).toEqual({ text: '', warnings: [] });
  });
});
