import { describe, expect, it } from 'vitest';
import { newToolError } from '../results/tool-results.ts';
import { callTool } from '../testing/call-tool.ts';
import { createTestContext } from '../testing/test-context.ts';
import { defineTool } from './define-tool.ts';
import { toolCache, toolLogging, toolRetry, toolTimeout } from './tool-wrappers.ts';

const base = { name: 'flaky', description: 'd' };

describe('toolTimeout', () => {
  it('answers in time although the tool does not, and aborts it', async () => {
    let reason: unknown;
    const tool = defineTool({
      ...base,
      execute: (_input, { abortSignal }) =>
        new Promise(() => abortSignal.addEventListener('abort', () => (reason = abortSignal.reason))),
    });
    expect(await callTool(toolTimeout(tool, 20), {})).toEqual({
      content: [{ type: 'text', text: 'tool flaky timed out after 20ms' }],
      isError: true,
    });
    expect(reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('passes on what comes in time, the caller’s abort and the rest of the context', async () => {
    const controller = new AbortController();
    const context = createTestContext({ abortSignal: controller.signal, session: { user: 'eve' } });
    const tool = defineTool({
      ...base,
      execute(_input, { abortSignal, session, output }) {
        output('seen');
        controller.abort();
        return `${session.user} ${abortSignal.aborted}`;
      },
    });
    expect(await callTool(toolTimeout(tool, 60_000), {}, { context })).toMatchObject({
      content: [{ text: 'eve true' }],
    });
    expect(context.outputs).toHaveLength(1);
  });
});

describe('toolRetry', () => {
  function failing(times: number) {
    let calls = 0;
    const tool = defineTool({
      ...base,
      execute() {
        calls += 1;
        if (calls <= times) throw new Error(`failure ${calls}`);
        return 'done';
      },
    });
    return { tool, calls: () => calls };
  }

  it('calls again what threw, so many times', async () => {
    expect(await callTool(toolRetry(failing(2).tool, 2, 1), {})).toMatchObject({
      content: [{ text: 'done' }],
      isError: false,
    });
    expect(await callTool(toolRetry(failing(3).tool, 2, 1), {})).toMatchObject({
      content: [{ text: 'failure 3' }],
      isError: true,
    });
  });

  it('does not try an error result again', async () => {
    let calls = 0;
    const tool = defineTool({ ...base, execute: () => newToolError(`call ${++calls}`) });
    expect(await callTool(toolRetry(tool, 5, 1), {})).toMatchObject({ content: [{ text: 'call 1' }] });
  });

  it('stops at an abort, also while it waits', async () => {
    const controller = new AbortController();
    const { tool, calls } = failing(Number.POSITIVE_INFINITY);
    const result = callTool(
      toolRetry(tool, 5, 60_000),
      {},
      { context: createTestContext({ abortSignal: controller.signal }) },
    );
    controller.abort();
    expect(await result).toMatchObject({ isError: true });
    expect(calls()).toBe(1);
  });
});

describe('toolCache', () => {
  const counting = () => {
    let calls = 0;
    return defineTool({ ...base, execute: ({ fail }) => (fail ? newToolError(`${++calls}`) : `${++calls}`) });
  };
  const callAs = (tool: ReturnType<typeof counting>, user: string, input: Record<string, unknown> = {}) =>
    callTool(tool, input, { context: createTestContext({ session: { user } }) });

  it('answers the same arguments of the same user from memory', async () => {
    const tool = toolCache(counting(), 60_000);
    for (const [user, input, text] of [
      ['eve', { a: 1 }, '1'],
      ['eve', { a: 1 }, '1'],
      ['eve', { a: 2 }, '2'],
      ['bob', { a: 1 }, '3'],
    ] as const) {
      expect(await callAs(tool, user, input)).toMatchObject({ content: [{ text }] });
    }
  });

  it('keeps no errors, nothing beyond its time, and at most 1000 results', async () => {
    const failing = toolCache(counting(), 60_000);
    await callAs(failing, 'eve', { fail: true });
    expect(await callAs(failing, 'eve', { fail: true })).toMatchObject({ content: [{ text: '2' }] });
    const brief = toolCache(counting(), Number.MIN_VALUE);
    await callAs(brief, 'eve');
    expect(await callAs(brief, 'eve')).toMatchObject({ content: [{ text: '2' }] });
    const full = toolCache(counting(), 60_000);
    for (let n = 0; n <= 1000; n++) await callAs(full, 'eve', { n });
    expect(await callAs(full, 'eve', { n: 0 })).toMatchObject({ content: [{ text: '1002' }] });
    expect(await callAs(full, 'eve', { n: 1000 })).toMatchObject({ content: [{ text: '1001' }] });
  });

  it('is not changed by who changes a result', async () => {
    const tool = toolCache(counting(), 60_000);
    const first = await callAs(tool, 'eve');
    first.content.length = 0;
    expect(await callAs(tool, 'eve')).toMatchObject({ content: [{ text: '1' }] });
  });
});

describe('toolLogging', () => {
  it.each([
    [() => 'x', 'completed', 'info'],
    [() => newToolError('no'), 'gave an error result', 'warn'],
    [
      () => {
        throw new Error('broken');
      },
      'threw "broken"',
      'error',
    ],
  ])('logs the start and the end: %#', async (execute, ending, level) => {
    const context = createTestContext();
    await callTool(toolLogging(defineTool({ ...base, execute })), {}, { context });
    expect(context.logs).toEqual([
      { message: 'flaky started', level: 'info' },
      { message: expect.stringMatching(`^flaky ${ending} after \\d+m?s$`), level },
    ]);
  });
});

describe('a wrapper without effect', () => {
  it('is the tool itself', () => {
    const tool = defineTool({ ...base, execute: () => '' });
    expect([toolTimeout(tool, 0), toolRetry(tool, 0), toolCache(tool, -1)]).toEqual([tool, tool, tool]);
  });
});
