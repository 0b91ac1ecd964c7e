import { describe, expect, test } from 'vitest';
import { hookOf } from './call-path/fixtures/hook-of.ts';
import { patientTool } from './call-path/fixtures/patient-tool.ts';
import { createTestCallPath } from './call-path/fixtures/test-call-path.ts';
import type { HookEvent } from './runtimes/runtime.ts';

const ECHO = { echo: (input: unknown) => JSON.stringify(input) };
const COUNT = { echo: { inputSchema: { type: 'object', properties: { count: { type: 'integer' } } } } };

describe('limits', () => {
  test('a rate that is used up fails the call with what to do', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, limits: { p: { callsPerMinute: 2 } } });
    await Promise.all([path.call('echo'), path.call('echo')]);
    const third = await path.call('echo');
    expect(third.outcome).toBe('failed');
    expect(third.text).toMatch(/^rate limit exceeded for plugin p.*wait/);
    expect((await path.call('echo', {}, { session: { tenant: 'other' } })).outcome).toBe('completed');
  });

  test('calls beyond the concurrency wait in order, and waiting does not count into their deadline', async () => {
    let running = 0;
    let most = 0;
    const order: unknown[] = [];
    const tools = {
      async work({ n }: Record<string, unknown>) {
        most = Math.max(most, ++running);
        order.push(n);
        await new Promise((resolve) => setTimeout(resolve, 60));
        running--;
        return 'ok';
      },
    };
    const path = await createTestCallPath({
      plugins: { p: { tools, entry: { timeoutMs: 150 } } },
      limits: { p: { concurrency: 1 } },
    });
    const records = await Promise.all([1, 2, 3, 4].map((n) => path.call('work', { n })));
    expect(records.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'completed'));
    expect([most, order]).toEqual([1, [1, 2, 3, 4]]);
    expect(path.journal().at(-1)?.queuedMs).toBeGreaterThanOrEqual(150);
  });

  test('a call that is cancelled in the queue leaves it, and the one behind it runs', async () => {
    const tool = patientTool();
    const tools = { wait: tool.execute, ...ECHO };
    const path = await createTestCallPath({ plugins: { p: { tools } }, limits: { p: { concurrency: 1 } } });
    const first = path.call('wait');
    await tool.began;
    const controller = new AbortController();
    const second = path.call('echo', {}, { abortSignal: controller.signal });
    const third = path.call('echo');
    controller.abort();
    expect((await second).outcome).toBe('cancelled');
    tool.end('done');
    expect([(await first).outcome, (await third).outcome]).toEqual(['completed', 'completed']);
  });

  test('a plugin that ended while a call waited is made ready again before that call runs', async () => {
    let isReady = true;
    const tool = patientTool();
    const runner = {
      maxConcurrentCalls: 1,
      get isReady() {
        return isReady;
      },
      async ready() {
        isReady = true;
      },
    };
    const tools = { wait: tool.execute, state: () => String(isReady) };
    const path = await createTestCallPath({ plugins: { p: { tools, runner } } });
    const first = path.call('wait');
    await tool.began;
    const second = path.call('state');
    isReady = false;
    tool.end('done');
    await first;
    expect((await second).text).toBe('true');
  });
});

describe('hooks', () => {
  async function hooked(
    event: string,
    run: Parameters<typeof hookOf>[1],
    permissions = { yes: false, allow: ['echo'] },
  ) {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO, definitions: COUNT } }, permissions });
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [hookOf(event, run)]);
    return path;
  }

  test('a deny stops the call, with the reason in the text and the journal', async () => {
    const path = await hooked('PreToolUse', () => ({ decision: 'deny', message: 'no snakes here' }));
    expect(await path.call('echo')).toMatchObject({
      outcome: 'denied',
      text: expect.stringContaining('no snakes here'),
    });
    expect(path.journal()[0]).toMatchObject({ decision: 'deny', rule: 'hook PreToolUse', outcome: 'denied' });
  });

  test('an ask turns an allowed call into a question, which --yes and the user’s own call answer', async () => {
    const asking = () => ({ decision: 'ask', message: 'sure?' }) as const;
    const path = await hooked('PreToolUse', asking);
    expect((await path.call('echo')).text).toMatch(/needs the user's yes \(sure\?\)/);
    expect((await path.call('echo', {}, { isUserCall: true })).outcome).toBe('completed');
    expect((await path.call('echo', {}, { approve: async () => ({ answer: 'once', by: 'ann' }) })).outcome).toBe(
      'completed',
    );
    const yes = await hooked('PreToolUse', asking, { yes: true, allow: [] });
    expect((await yes.call('echo')).outcome).toBe('completed');
  });

  test('what a hook rewrites is validated and repaired again, and the tool gets that', async () => {
    let updatedInput: Record<string, unknown> = { count: '7' };
    const path = await hooked('PreToolUse', () => ({ decision: 'allow', updatedInput }));
    expect((await path.call('echo', { count: 1 })).text).toBe('{"count":7}');
    updatedInput = { count: 'seven' };
    expect((await path.call('echo', { count: 1 })).outcome).toBe('invalid-input');
    expect(path.journal()[0]).toMatchObject({ arguments: '{"count":1}', finalArguments: { count: 7 } });
  });

  test('what a hook gives that is not JSON is a failure of the hook, not of the call', async () => {
    const path = await hooked('PreToolUse', () => ({ decision: 'allow', updatedInput: { count: 1n } }));
    expect(await path.call('echo', { count: 1 })).toMatchObject({ outcome: 'completed', text: '{"count":1}' });
    expect(path.warnings[0]).toContain('its updatedInput is not JSON');
  });

  test('post hooks get the final arguments, the first 8 KiB of the text and the time', async () => {
    const told: HookEvent[] = [];
    const path = await createTestCallPath({
      plugins: { p: { tools: { long: () => '😀'.repeat(10_000), bad: () => Promise.reject(new Error('no')) } } },
    });
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [
      hookOf('PostToolUse', (event) => {
        told.push(event);
      }),
      hookOf('PostToolUseFailure', (event) => {
        told.push(event);
      }),
    ]);
    await path.call('long', { a: 1 });
    await path.call('bad');
    expect(told.map(({ event }) => event)).toEqual(['PostToolUse', 'PostToolUseFailure']);
    expect(told[0]).toMatchObject({
      toolInput: '{"a":1}',
      toolOutput: '😀'.repeat(2048),
      toolElapsedMs: expect.any(Number),
    });
    expect(told[1]?.toolOutput).toBe('no');
  });
});
