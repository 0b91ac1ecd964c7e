import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { activatePlugin } from './activate-plugin.ts';
import { definePlugin, isPlugin, type PluginContext } from './define-plugin.ts';
import { runEnricher, staticEnricher } from './enrichers.ts';
import { fileEnricher } from './file-enricher.ts';
import { allowHook, denyHook, type HookEvent, logHook, matchesTool, type PluginHook, runHooks } from './hooks.ts';

const tool = (name: string) => defineTool({ name, description: 'd', execute: () => name });
const event: HookEvent = {
  event: 'PreToolUse',
  toolName: 'rm_all',
  toolInput: '{}',
  session: { id: '', channel: '', chatId: '', tenant: '', user: '' },
};
const { signal } = new AbortController();
const hook = (rest: Partial<PluginHook>): PluginHook => ({ event: 'PreToolUse', handler: () => undefined, ...rest });

describe('definePlugin', () => {
  it('marks a plugin so that another copy of the package knows it', () => {
    expect(isPlugin(definePlugin({}))).toBe(true);
    expect(isPlugin({ [Symbol.for('toolpost.plugin')]: true, tools: [], hooks: [] })).toBe(true);
    expect(isPlugin({ tools: [] })).toBe(false);
  });

  it.each([
    [5, 'a plugin must be an object, got 5'],
    [{ tools: {} }, 'tools must be a list, got {}'],
    [{ tools: [{ name: '' }] }, "a tool's name must be non-empty text"],
    [{ hooks: [{ event: 'PreToolUse' }] }, 'hooks[0].handler must be a function, got nothing'],
    [{ hooks: [{ handler: () => {} }] }, 'hooks[0].event must be non-empty text, got nothing'],
    [{ enrichers: [{ name: 'a' }] }, 'enrichers[0].enrich must be a function, got nothing'],
    [{ enrichers: [{ name: ' ', enrich: () => '' }] }, 'enrichers[0].name must be non-empty text'],
    [{ activate: true }, 'activate must be a function, got true'],
  ])('refuses %j', (options, message) => {
    expect(() => definePlugin(options as never)).toThrow(message);
  });
});

describe('activatePlugin', () => {
  it("registers as the seed's plugins do", async () => {
    const plugin = definePlugin({
      tools: [tool('a')],
      activate(context) {
        context.registerTool(tool('b'));
        context.registerTools(tool('c'), tool('d'));
        context.onPreToolUse(denyHook('no'), { matcher: 'rm_*' });
        context.on('SessionStart', allowHook());
      },
    });
    const active = await activatePlugin(plugin, { pluginId: 'p' });
    expect(active.tools.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(active.hooks.map(({ event: name, matcher }) => [name, matcher])).toEqual([
      ['PreToolUse', 'rm_*'],
      ['SessionStart', undefined],
    ]);
  });

  it('gives the settings and the log', async () => {
    const logged: string[] = [];
    const plugin = definePlugin({ activate: ({ log, settings, pluginId }) => log(`${pluginId} ${settings.key}`) });
    await activatePlugin(plugin, { pluginId: 'p', settings: { key: 'v' }, log: (message) => logged.push(message) });
    expect(logged).toEqual(['p v']);
  });

  it.each([
    ['tools.register', definePlugin({ tools: [tool('a')] }), 'register the tool "a"'],
    ['hooks.subscribe', definePlugin({ hooks: [hook({})] }), 'subscribe to PreToolUse'],
  ])('demands %s', async (permission, plugin, action) => {
    await expect(activatePlugin(plugin, { pluginId: 'p', permissions: [] })).rejects.toThrow(
      `plugin "p" lacks the permission "${permission}" to ${action}: add it to "permissions" in its plugin.json`,
    );
    await activatePlugin(plugin, { pluginId: 'p', permissions: [permission as 'tools.register'] });
  });

  it('names every permission that is missing for what it offers', async () => {
    const plugin = definePlugin({ tools: [tool('a')], hooks: [hook({})] });
    await expect(activatePlugin(plugin, { pluginId: 'p', permissions: [] })).rejects.toThrow(
      'plugin "p" lacks the permission "tools.register" to register its tools and the permission "hooks.subscribe" to subscribe its hooks: add them to "permissions" in its plugin.json',
    );
  });

  it('refuses a name twice, and ends what had begun', async () => {
    let ended = 0;
    const plugin = definePlugin({
      tools: [tool('a')],
      activate: ({ registerTool }) => registerTool(tool('a')),
      deactivate: () => void ended++,
    });
    await expect(activatePlugin(plugin, { pluginId: 'p' })).rejects.toThrow('plugin "p" registers the tool "a" twice');
    expect(ended).toBe(1);
  });

  it('refuses what comes after the activation', async () => {
    const kept: PluginContext[] = [];
    await activatePlugin(definePlugin({ activate: (context) => void kept.push(context) }), { pluginId: 'p' });
    expect(() => kept[0]?.registerTool(tool('late'))).toThrow('only while it is activated');
  });

  it('deactivates once', async () => {
    let ended = 0;
    const active = await activatePlugin(definePlugin({ deactivate: () => void ended++ }), { pluginId: 'p' });
    await Promise.all([active.deactivate(), active.deactivate()]);
    expect(ended).toBe(1);
  });
});

describe('matchesTool', () => {
  it.each([
    [undefined, 'x', true],
    ['', 'x', true],
    ['*', 'x', true],
    ['read', 'read', true],
    ['read', 'reader', false],
    ['read*', 'reader', true],
    ['*er', 'reader', true],
    ['*ead*', 'reader', true],
    ['*er', 'read', false],
    ['read', '', true],
  ])('%s takes %s: %s', (matcher, name, expected) => {
    expect(matchesTool(matcher, name)).toBe(expected);
  });
});

describe('runHooks', () => {
  const answering = (decision: 'allow' | 'defer' | 'ask' | 'deny', message = decision) =>
    hook({ handler: () => ({ decision, message }) });

  it('joins the answers: deny > ask > defer > allow', async () => {
    const all = ['allow', 'defer', 'ask', 'deny'] as const;
    for (const [index, decision] of all.entries()) {
      const hooks = all
        .slice(0, index + 1)
        .reverse()
        .map((each) => answering(each));
      expect(await runHooks(hooks, event, signal)).toEqual({ decision, message: decision });
      expect(await runHooks(hooks.reverse(), event, signal)).toEqual({ decision, message: decision });
    }
  });

  it('asks only the hooks of the event and the tool', async () => {
    const hooks = [
      hook({ matcher: 'read', handler: denyHook('no') }),
      hook({ event: 'PostToolUse', handler: denyHook('no') }),
    ];
    expect(await runHooks(hooks, event, signal)).toEqual({ decision: 'allow' });
  });

  it('takes the first changed input', async () => {
    const hooks = [1, 2].map((n) => hook({ handler: () => ({ decision: 'allow', updatedInput: { n } }) }));
    expect(await runHooks(hooks, event, signal)).toEqual({ decision: 'allow', updatedInput: { n: 1 } });
  });

  it('denies for a failing hook that fails closed, and throws for one that does not', async () => {
    const handler = () => {
      throw new Error('no database');
    };
    expect(await runHooks([hook({ handler, failClosed: true })], event, signal)).toEqual({
      decision: 'deny',
      message: 'the PreToolUse hook failed: no database',
    });
    await expect(runHooks([hook({ handler })], event, signal)).rejects.toThrow('no database');
    expect(await runHooks([hook({ handler }), answering('ask')], event, signal)).toEqual({
      decision: 'ask',
      message: 'ask',
    });
    expect(await runHooks([hook({ handler }), answering('deny')], event, signal)).toEqual({
      decision: 'deny',
      message: 'deny',
    });
  });

  it('never takes a wrong answer for an allow', async () => {
    await expect(runHooks([hook({ handler: () => ({ decision: 'Deny' }) as never })], event, signal)).rejects.toThrow(
      'Deny',
    );
  });

  it('logs and allows', async () => {
    const lines: string[] = [];
    const hooks = [hook({ handler: logHook((line) => lines.push(line), 'seen') })];
    expect(await runHooks(hooks, event, signal)).toEqual({ decision: 'allow' });
    expect(lines).toEqual(['seen: PreToolUse rm_all']);
  });
});

describe('enrichers', () => {
  const session = { id: '', channel: '', chatId: '', tenant: '', user: '' };
  const run = (enrich: () => unknown) =>
    runEnricher([{ name: 'e', enrich: enrich as never }], 'e', { session, abortSignal: signal });

  it('need the permission, and a name of their own', async () => {
    const plugin = definePlugin({ enrichers: [{ name: 'e', enrich: staticEnricher('x') }] });
    await expect(activatePlugin(plugin, { pluginId: 'p', permissions: ['tools.register'] })).rejects.toThrow(
      'lacks the permission "context.enrich" to enrich the context with "e"',
    );
    const twice = definePlugin({ ...plugin, activate: (context) => context.enrichContext('e', staticEnricher('y')) });
    await expect(activatePlugin(twice, { pluginId: 'p' })).rejects.toThrow('registers the enricher "e" twice');
  });

  it('give their text, or what a file holds now', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'toolpost-enrich-'));
    const file = join(dir, 'note.txt');
    const enrich = fileEnricher(file);
    for (const text of ['one', 'two']) {
      writeFileSync(file, text);
      expect(await enrich(session, signal)).toBe(text);
    }
    rmSync(dir, { recursive: true });
    await expect(enrich(session, signal)).rejects.toThrow('ENOENT');
    expect(await run(staticEnricher('x') as never)).toBe('x');
  });

  it('fail when they give something other than text', async () => {
    expect(await run(() => undefined)).toBe('');
    await expect(run(() => 5)).rejects.toThrow('the enricher e must give text, got 5');
  });
});
