import { describe, expect, test } from 'vitest';
import { hookOf } from './call-path/fixtures/hook-of.ts';
import { patientTool } from './call-path/fixtures/patient-tool.ts';
import { createTestCallPath, eventLog } from './call-path/fixtures/test-call-path.ts';
import type { HookAnswer, RuntimeCallContext } from './runtimes/runtime.ts';
import { PluginCrash } from './runtimes/runtime.ts';

const ECHO = { echo: (input: unknown) => JSON.stringify(input) };
const _COUNT = { echo: { inputSchema: { type: 'object', properties: { count: { type: 'integer' } } } } };

describe('cancel', () => {
  test('the caller is released at once, the tool is told, and what it returns later is ignored', async () => {
    const tool = patientTool();
    const path = await createTestCallPath({ plugins: { p: { tools: { wait: tool.execute } } } });
    const controller = new AbortController();
    const { events, onEvent } = eventLog();
    const calling = path.call('wait', {}, { abortSignal: controller.signal, onEvent });
    const context = await tool.began;
    controller.abort();
    expect((await calling).outcome).toBe('cancelled');
    expect(await tool.told).toMatchObject({ name: 'AbortError' });
    tool.end('too late');
    context.output('too late');
    context.progress({ progress: 1 });
    expect(await context.ask({ message: 'too late?', schema: {} })).toEqual({ action: 'cancel' });
    expect(events.map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-end']);
  });

  test('a call that is cancelled before it runs does not run', async () => {
    let ran = 0;
    const path = await createTestCallPath({ plugins: { p: { tools: { count: () => void ran++ } } } });
    const record = await path.call('count', {}, { abortSignal: AbortSignal.abort() });
    expect([record.outcome, ran]).toEqual(['cancelled', 0]);
    expect(record.text).toContain('before it ran');
  });

  test('a caller that goes away while a plugin starts does not wait for it', async () => {
    const starting = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const ready = () => {
      waits.resolve();
      return starting.promise;
    };
    const runner = { isReady: false, ready };
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO, runner } } });
    const controller = new AbortController();
    const calling = path.call('echo', {}, { abortSignal: controller.signal });
    await waits.promise;
    controller.abort();
    expect((await calling).outcome).toBe('cancelled');
    starting.reject(new PluginCrash('nobody hears this'));
  });

  test('a caller that goes away while post hooks look gets the finished call at once', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } } });
    const told = Promise.withResolvers<void>();
    const hook = () => {
      told.resolve();
      return new Promise<HookAnswer>(() => {});
    };
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [hookOf('PostToolUse', hook)]);
    const controller = new AbortController();
    const calling = path.call('echo', { a: 1 }, { abortSignal: controller.signal });
    await told.promise;
    const abortedMs = performance.now();
    controller.abort();
    expect((await calling).outcome).toBe('completed');
    expect(performance.now() - abortedMs).toBeLessThan(1000);
    expect(path.journal()).toHaveLength(1);
  });

  test('post hooks of a cancelled call do not hold its caller', async () => {
    const tool = patientTool();
    const path = await createTestCallPath({ plugins: { p: { tools: { wait: tool.execute } } } });
    const told = Promise.withResolvers<void>();
    const never = new Promise<HookAnswer>(() => {});
    const hook = () => {
      told.resolve();
      return never;
    };
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [hookOf('PostToolUseFailure', hook)]);
    const controller = new AbortController();
    const calling = path.call('wait', {}, { abortSignal: controller.signal });
    await tool.began;
    const abortedMs = performance.now();
    controller.abort();
    await told.promise;
    await calling;
    expect(performance.now() - abortedMs).toBeLessThan(3000);
  });
});

describe('deadline', () => {
  test('a call past it is timed-out, the tool is told, and the text names limit and setting', async () => {
    const tool = patientTool();
    const path = await createTestCallPath({
      plugins: { p: { tools: { wait: tool.execute }, entry: { timeoutMs: 50 } } },
    });
    const record = await path.call('wait');
    expect(record.outcome).toBe('timed-out');
    expect(record.text).toMatch(/50ms.*`timeout` in the manifest of the plugin p/);
    expect(await tool.told).toMatchObject({ name: 'TimeoutError' });
  });

  test("the caller's limit may only shorten, and is named as the caller's", async () => {
    const tool = patientTool();
    const path = await createTestCallPath({
      plugins: { p: { tools: { wait: tool.execute }, entry: { timeoutMs: 60 } } },
    });
    expect((await path.call('wait', {}, { timeoutMs: 20 })).text).toMatch(/20ms.*came with the call/);
    expect((await path.call('wait', {}, { timeoutMs: 60_000 })).text).toContain('60ms');
  });

  test("a tool's own limit is shorter than its plugin's", async () => {
    const tool = patientTool();
    const definitions = { wait: { timeoutMs: 30 } };
    const path = await createTestCallPath({ plugins: { p: { tools: { wait: tool.execute }, definitions } } });
    expect((await path.call('wait')).text).toMatch(/its time limit is 30ms.*`timeout` of the tool itself/);
  });

  test('what runs in the process of the host is not said to have stopped, other runtimes are', async () => {
    const textOf = async (isInProcess: boolean) => {
      const tools = { wait: patientTool().execute };
      const plugin = { tools, entry: { timeoutMs: 20 }, runner: { isInProcess } };
      return (await (await createTestCallPath({ plugins: { p: plugin } })).call('wait')).text;
    };
    expect(await textOf(true)).toContain('its work goes on until it notices the abort');
    expect(await textOf(false)).toContain('It was stopped');
  });

  test('no manifest is named where there is none', async () => {
    const tools = { wait: patientTool().execute };
    const path = await createTestCallPath({ plugins: { app: { tools, entry: { timeoutMs: 20 } } } });
    expect((await path.call('wait')).text).toContain('no setting raises this limit');
  });

  test('output renews it up to the maximum', async () => {
    const entry = { timeoutMs: 100, maxTimeoutMs: 350 };
    const tools = {
      talk: (_input: unknown, { output }: RuntimeCallContext) =>
        new Promise((resolve) => {
          const timer = setInterval(() => output('.'), 20);
          setTimeout(() => {
            clearInterval(timer);
            resolve('spoke');
          }, 200);
        }),
      babble: (_input: unknown, { output, onAbort }: RuntimeCallContext) => {
        const timer = setInterval(() => output('.'), 20);
        onAbort(() => clearInterval(timer));
        return new Promise(() => {});
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools, entry } } });
    expect((await path.call('talk')).outcome).toBe('completed');
    const babbled = await path.call('babble');
    expect(babbled.text).toMatch(/350ms.*`maxTimeout`/);
    expect(babbled.durationMs).toBeGreaterThanOrEqual(349);
  });

  test('time in which a person is asked does not count, also when asking is the first thing a tool does', async () => {
    const tools = {
      ask: async (_input: unknown, { ask }: RuntimeCallContext) => (await ask({ message: '?', schema: {} })).action,
      askThenHang: async (_input: unknown, { ask }: RuntimeCallContext) => {
        await ask({ message: '?', schema: {} });
        return new Promise(() => {});
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools, entry: { timeoutMs: 60 } } } });
    const ask = () => new Promise<{ action: 'accept' }>((resolve) => setTimeout(resolve, 150, { action: 'accept' }));
    expect(await path.call('ask', {}, { ask })).toMatchObject({ outcome: 'completed', text: 'accept' });
    expect((await path.call('askThenHang', {}, { ask })).outcome).toBe('timed-out');
  });

  test('where nobody can answer, ask is cancelled at once', async () => {
    const tools = {
      ask: async (_input: unknown, { ask }: RuntimeCallContext) => (await ask({ message: '?', schema: {} })).action,
    };
    const path = await createTestCallPath({ plugins: { p: { tools } } });
    expect((await path.call('ask')).text).toBe('cancel');
  });
});
