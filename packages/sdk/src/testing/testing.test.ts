import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define/define-tool.ts';
import { definePlugin } from '../plugin/define-plugin.ts';
import { denyHook } from '../plugin/hooks.ts';
import { callTool } from './call-tool.ts';
import { drivePlugin } from './drive-plugin.ts';
import { createMemoryStorage, createTestContext } from './test-context.ts';

const counter = defineTool({
  name: 'count',
  description: 'Counts calls.',
  async execute(_input, { storage, output, progress, log, ask, settings }) {
    const count = Number((await storage.get('count')) ?? 0) + 1;
    await storage.set('count', count);
    output(`count is ${count}\n`);
    progress({ progress: count, total: 10 });
    log('counted');
    const { action } = await ask({ message: 'Again?', schema: { type: 'object', properties: {} } });
    return `${count} ${action} ${settings.unit ?? ''}`.trim();
  },
});

describe('callTool', () => {
  it('keeps what the tool did with its context', async () => {
    const context = createTestContext({
      answer: () => ({ action: 'accept' }),
      storage: createMemoryStorage({ count: 4 }),
    });
    expect(await callTool(counter, {}, { context })).toEqual({
      content: [{ type: 'text', text: '5 accept' }],
      isError: false,
    });
    expect(context.outputs).toEqual([{ text: 'count is 5\n', stream: 'stdout' }]);
    expect(context.updates).toEqual([{ progress: 5, total: 10 }]);
    expect(context.logs).toEqual([{ message: 'counted', level: 'info' }]);
    expect(context.asked).toHaveLength(1);
  });

  it.each([
    [{}, 'city is required'],
    [{ city: 5 }, 'city must be string, got 5'],
    [{ city: 'x', days: 1.5 }, 'days must be integer, got 1.5'],
    [[], 'the input must be an object, got []'],
  ])('refuses %j as a host would', async (input, problem) => {
    const tool = defineTool({
      name: 't',
      description: 'd',
      inputSchema: z.object({ city: z.string(), days: z.int().optional() }),
      execute: () => 'ran',
    });
    expect(await callTool(tool, input as never)).toEqual({
      content: [{ type: 'text', text: `invalid input: ${problem}` }],
      isError: true,
    });
  });

  it('gives the tool what JSON leaves of the input', async () => {
    const tool = defineTool({ name: 't', description: 'd', execute: (input) => Object.keys(input).join() });
    expect(await callTool(tool, { a: 1, gone: undefined })).toMatchObject({ content: [{ text: 'a' }] });
  });
});

describe('drivePlugin', () => {
  it('activates, calls with streams, and deactivates over the real protocol', async () => {
    let ended = 0;
    const plugin = definePlugin({ tools: [counter], deactivate: () => void ended++ });
    const driver = await drivePlugin(plugin, { settings: { unit: 'c' }, answer: () => ({ action: 'decline' }) });
    expect(driver.tools.map(({ name }) => name)).toEqual(['count']);
    const seen: unknown[] = [];
    const streams = {
      onOutput: (output: unknown) => seen.push(output),
      onProgress: (update: unknown) => seen.push(update),
    };
    expect(await driver.callTool('count', {}, streams)).toEqual({
      content: [{ type: 'text', text: '1 decline c' }],
      isError: false,
    });
    expect(await driver.callTool('count')).toMatchObject({ content: [{ text: '2 decline c' }] });
    expect(seen).toEqual([
      { stream: 'stdout', text: 'count is 1\n' },
      { progress: 1, total: 10 },
    ]);
    await driver.deactivate();
    expect(ended).toBe(1);
  });

  it('passes an abort on', async () => {
    const waiting = defineTool({
      name: 'wait',
      description: 'Waits.',
      execute: (_input, { abortSignal }) =>
        new Promise((_resolve, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason))),
    });
    const driver = await drivePlugin(definePlugin({ tools: [waiting] }));
    const controller = new AbortController();
    const result = driver.callTool('wait', {}, { abortSignal: controller.signal });
    controller.abort();
    expect(await result).toEqual({ content: [{ type: 'text', text: 'The call was cancelled.' }], isError: true });
  });

  it('keeps parallel calls and sessions apart', async () => {
    const who = defineTool({ name: 'who', description: 'd', execute: (_input, { session }) => session.user });
    const driver = await drivePlugin(definePlugin({ tools: [who] }));
    const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
    const results = await Promise.all(users.map((user) => driver.callTool('who', {}, { session: { user } })));
    expect(results.map(({ content }) => content)).toEqual(users.map((user) => [{ type: 'text', text: user }]));
  });

  it('runs hooks', async () => {
    const driver = await drivePlugin(
      definePlugin({ hooks: [{ event: 'PreToolUse', matcher: 'rm', handler: denyHook('no') }] }),
    );
    expect(driver.hooks).toEqual([{ event: 'PreToolUse', matcher: 'rm' }]);
    expect(await driver.runHook({ event: 'PreToolUse', toolName: 'rm' })).toEqual({ decision: 'deny', message: 'no' });
    expect(await driver.runHook({ event: 'PreToolUse', toolName: 'ls' })).toEqual({ decision: 'allow' });
  });

  it('runs enrichers, with the session', async () => {
    const driver = await drivePlugin(
      definePlugin({
        enrichers: [{ name: 'who', priority: 10, enrich: ({ user }) => `The user is ${user}.` }],
        activate: (context) => context.enrichContext('late', async () => undefined),
      }),
    );
    expect(driver.enrichers).toEqual([{ name: 'who', priority: 10 }, { name: 'late' }]);
    expect(await driver.enrich('who', { user: 'ann' })).toBe('The user is ann.');
    expect(await driver.enrich('late')).toBe('');
    await expect(driver.enrich('nobody')).rejects.toThrow('Unknown enricher: nobody');
  });

  it('says why a plugin refuses to start', async () => {
    const plugin = definePlugin({
      activate() {
        throw new Error('no licence');
      },
    });
    await expect(drivePlugin(plugin)).rejects.toThrow('no licence');
  });
});
