import { describe, expect, it } from 'vitest';
import { call, callIn, closeAfterEach, errorOf, load } from '../../../test/stdio-plugin-calls.ts';
import { isAlive } from '../../processes/process-identity.ts';
import { createTestCallContext } from '../test-contexts.ts';

closeAfterEach();

describe('lines that are too long', () => {
  const limits = { maxLineBytes: 100_000 };

  it('fail the call of version 1, and the next one works', async () => {
    const { plugin } = await load('long-lines', { ...limits, entry: 'node main.mjs 1' });
    const error = await errorOf(call(plugin, { bytes: 1_000_000 }));
    expect(error.message).toContain(
      'long_line: the plugin long-lines wrote a line longer than its limit of 100000 bytes',
    );
    expect(await call(plugin, { bytes: 3 })).toBe('xxx');
    expect(plugin.isReady).toBe(true);
  });

  it('fail the call of version 2 that the line names, and no other', async () => {
    const { plugin } = await load('long-lines', limits);
    const context = createTestCallContext({ silent: true });
    const other = errorOf(callIn(plugin, context));
    expect((await errorOf(call(plugin, { bytes: 1_000_000 }))).message).toContain('longer than its limit');
    expect(await call(plugin, { bytes: 3 })).toBe('xxx');
    await plugin.close();
    expect((await other).name).toBe('PluginCrash');
  });

  it('fail all calls in flight when the start of the line does not say whose it is', async () => {
    const { plugin } = await load('long-lines', limits);
    const other = errorOf(call(plugin, { silent: true }));
    const errors = [await errorOf(call(plugin, { bytes: 1_000_000, hidden: true })), await other];
    for (const error of errors) expect(error.message).toContain('its start does not say which call it answers');
    expect(await call(plugin, { bytes: 3 })).toBe('xxx');
  });

  it('are dropped without harm when they are streamed output', async () => {
    const { plugin } = await load('long-lines', limits);
    expect(await call(plugin, { bytes: 1_000_000, output: true })).toBe('done');
  });
});

describe('requests that are too long', () => {
  it('are answered with the reason, also when their id is that of a call', async () => {
    const { plugin } = await load('long-lines', { maxLineBytes: 100_000 });
    expect(await call(plugin, { bytes: 1_000_000, request: true })).toContain('longer than its limit of 100000 bytes');
  });
});

describe('odd answers', () => {
  it.each([
    ['numeric', 'numeric'],
    ['twice', 'first'],
    ['nobody', 'mine'],
    ['bad-stream', 'streamed badly'],
  ])('%s: the call gets its own', async (kind, wanted) => {
    const { plugin } = await load('odd-answers');
    expect(await call(plugin, { kind })).toBe(wanted);
    expect(plugin.isReady).toBe(true);
  });

  it('fail the call when they hold nothing', async () => {
    const { plugin } = await load('odd-answers');
    expect((await errorOf(call(plugin, { kind: 'empty' }))).message).toContain('must hold "result" or "error"');
  });

  it('answer each request with its own id, also before the first call and an unknown one', async () => {
    const { plugin } = await load('odd-answers', {}, { settings: { unit: 'C' } });
    expect(JSON.parse(String(await call(plugin, { kind: 'unknown-method' })))).toEqual([
      { id: 17, result: { unit: 'C' } },
      { id: 'p1', error: expect.stringMatching(/unknown method: rm_rf\. There are storage_get/) },
    ]);
  });

  it('answer with null for a setting that only every object inherits', async () => {
    const { plugin } = await load('odd-answers', {}, { settings: { unit: 'C' } });
    const answers = JSON.parse(String(await call(plugin, { kind: 'inherited' })));
    expect(answers.at(-1)).toEqual({ id: 'p1', result: null });
  });

  it('are logged when they are noise', async () => {
    const { context } = await load('odd-answers');
    const debug = context.logged.filter(({ level }) => level === 'debug').map(({ message }) => message);
    expect(debug).toContain('ignored on stdout, not a JSON object: "=== Welcome ==="');
    expect(debug.at(-1)).toContain('{"level":"info"}');
  });
});

describe('close', () => {
  it('does not wait for the grace of a plugin that heeds deactivate', async () => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { plugin } = await load('conformance-v2');
      const before = performance.now();
      await plugin.close();
      times.push(performance.now() - before);
    }
    expect(Math.min(...times)).toBeLessThan(280);
  });

  it('ends a plugin that ignores everything', async () => {
    const { plugin } = await load('stubborn');
    const pid = Number(await call(plugin, {}, 'pid'));
    await plugin.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('gives up a restart that is under way', async () => {
    const { plugin } = await load('exits-mid-call');
    await errorOf(call(plugin));
    const restart = errorOf(plugin.ready());
    await plugin.close();
    expect((await restart).name).toBe('PluginCrash');
    expect(plugin.isReady).toBe(false);
  });

  it('gives up the wait before a restart', async () => {
    const { plugin } = await load('exits-mid-call');
    for (let round = 0; round < 4; round++) await errorOf(call(plugin));
    const restart = errorOf(plugin.ready());
    const before = performance.now();
    await plugin.close();
    expect(performance.now() - before).toBeLessThan(700);
    expect((await restart).message).toContain('is being closed');
  });

  it('does not report an end that was asked for, and starts nothing', async () => {
    const { plugin, context } = await load('conformance-v2');
    await plugin.close();
    await plugin.close();
    expect(context.changes).toEqual([]);
  });
});
