import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HookAnswer, HookEvent } from '../runtimes/runtime.ts';
import { compileHookMatcher } from './hook-matcher.ts';
import { createHookRunner, type PluginHook } from './run-hooks.ts';

function event(overrides: Partial<HookEvent> = {}, tenant = ''): HookEvent {
  const session = { id: 's', channel: 'cli', chatId: 's', tenant, user: '' };
  return { event: 'PreToolUse', toolName: 'bash', toolInput: '{}', session, ...overrides };
}

function hook(answer: unknown, more: Partial<PluginHook> = {}): PluginHook {
  const run = async () => (answer instanceof Error ? Promise.reject(answer) : (answer as HookAnswer));
  return { event: 'PreToolUse', run, ...more };
}

/** One plugin for each hook, in the order given. */
function runnerOf(hooks: readonly PluginHook[], timeoutMs = 5000) {
  const runner = createHookRunner({ timeoutMs });
  for (const [order, one] of [...hooks.entries()].reverse()) runner.setPluginHooks({ id: `p${order}`, order }, [one]);
  return runner;
}

describe('matchers', () => {
  const cases: [matcher: string | undefined, names: string[], not: string[]][] = [
    [undefined, ['bash', ''], []],
    ['', ['bash'], []],
    ['*', ['bash'], []],
    ['bash', ['bash', 'Bash'], ['bash2', 'xbash']],
    ['git_*', ['git_status', 'GIT_LOG'], ['agit_x']],
    ['*_file', ['read_file'], ['file', 'read_files']],
    ['*file*', ['read_file', 'files'], ['fil']],
  ];
  test.each(cases)('%j', (matcher, names, not) => {
    const matches = compileHookMatcher(matcher);
    for (const name of names) expect(matches(name)).toBe(true);
    for (const name of not) expect(matches(name)).toBe(false);
  });
});

describe('run', () => {
  test('the strongest decision wins, whatever the order of the hooks: deny > ask > defer > allow', async () => {
    const decisions = ['deny', 'ask', 'defer', 'allow'] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...decisions), { minLength: 1, maxLength: 5 }), async (given) => {
        const { decision } = await runnerOf(given.map((one) => hook({ decision: one }))).run(event());
        expect(decision).toBe(decisions.find((one) => given.includes(one)));
      }),
    );
  });

  test('no message is lost: those of the strongest decision stand first', async () => {
    const runner = runnerOf([
      hook({ decision: 'allow', message: 'fine by me' }),
      hook({ decision: 'deny', message: 'no snakes here' }),
      hook({ decision: 'ask', message: 'really?' }),
      hook({ decision: 'deny', message: 'nor camels' }),
    ]);
    const { message, messages } = await runner.run(event());
    expect(message).toBe('no snakes here; nor camels; really?; fine by me');
    expect(messages).toHaveLength(4);
  });

  test('the first updatedInput in the order of the plugins wins, not the first to answer', async () => {
    const late = Promise.withResolvers<HookAnswer>();
    const runner = runnerOf([
      hook(undefined, { run: () => late.promise }),
      hook(
        { decision: 'allow', updatedInput: { from: 'second' } },
        {
          run: async () => {
            late.resolve({ decision: 'allow', updatedInput: { from: 'first' } });
            return { decision: 'allow', updatedInput: { from: 'second' } };
          },
        },
      ),
    ]);
    expect((await runner.run(event())).updatedInput).toEqual({ from: 'first' });
  });

  test('a denied call has no updated input', async () => {
    const runner = runnerOf([hook({ decision: 'allow', updatedInput: { a: 1 } }), hook({ decision: 'deny' })]);
    expect(await runner.run(event())).not.toHaveProperty('updatedInput');
  });

  test('more than ten hooks are all asked, at the same time', async () => {
    const together = Promise.withResolvers<void>();
    let waiting = 0;
    const run = async (): Promise<HookAnswer> => {
      if (++waiting === 15) together.resolve();
      await together.promise;
      return { decision: 'allow', message: 'here' };
    };
    expect(
      (await runnerOf(Array.from({ length: 15 }, () => hook(undefined, { run }))).run(event())).messages,
    ).toHaveLength(15);
  });

  test('a hook that fails, or answers nonsense, is skipped with a warning that names plugin and event', async () => {
    const nonsense = [
      'yes',
      5,
      { decision: 'DENY' },
      { decision: 'deny', message: 5 },
      { decision: 'allow', updatedInput: [] },
    ];
    for (const answer of [new Error('out of order'), ...nonsense]) {
      const verdict = await runnerOf([hook(answer), hook({ decision: 'defer' })]).run(event());
      expect(verdict.decision).toBe('defer');
      expect(verdict.warnings).toHaveLength(1);
      expect(verdict.warnings[0]).toMatch(/^the PreToolUse hook of plugin p0 failed, so it was skipped: /);
    }
  });

  test('a failing hook that is failClosed denies', async () => {
    const verdict = await runnerOf([hook(new Error('out of order'), { failClosed: true })]).run(event());
    expect(verdict).toMatchObject({
      decision: 'deny',
      message: 'the PreToolUse hook of plugin p0 failed, so it denies: out of order',
    });
  });

  test.each(['PreToolUse', 'UserPromptSubmit', 'SessionStart', 'PreCompact'])(
    'a failure of a failClosed %s hook denies',
    async (name) => {
      const runner = runnerOf([hook(new Error('out of order'), { event: name, failClosed: true })]);
      const failure = `the ${name} hook of plugin p0 failed, so it denies: out of order`;
      expect(await runner.run(event({ event: name }))).toMatchObject({ decision: 'deny', warnings: [failure] });
    },
  );

  test.each(['PostToolUse', 'PostToolUseFailure', 'AgentStop', 'SessionEnd', 'PostCompact'])(
    'a failure of a failClosed %s hook does not claim to deny what has happened',
    async (name) => {
      const runner = runnerOf([hook(new Error('out of order'), { event: name, failClosed: true })]);
      const failure = `the ${name} hook of plugin p0 failed, so it was skipped: out of order`;
      expect(await runner.run(event({ event: name }))).toMatchObject({ decision: 'allow', warnings: [failure] });
    },
  );

  test("an event's own limit stands in place of the runner's", async () => {
    const runner = runnerOf([hook(undefined, { run: () => new Promise(() => {}) })], 60_000);
    const failure = 'the PreToolUse hook of plugin p0 failed, so it was skipped: it did not answer within 5 ms';
    expect((await runner.run(event(), undefined, 5)).warnings).toEqual([failure]);
  });

  test('a hook that does not answer is given up after its time, and told so', async () => {
    let signal: AbortSignal | undefined;
    const run = (_: HookEvent, abortSignal: AbortSignal) => {
      signal = abortSignal;
      return new Promise<HookAnswer>(() => {});
    };
    const open = await runnerOf([hook(undefined, { run })], 5).run(event());
    expect(open).toMatchObject({ decision: 'allow', warnings: [expect.stringContaining('within 5 ms')] });
    expect(signal?.aborted).toBe(true);
    expect((await runnerOf([hook(undefined, { run, failClosed: true })], 5).run(event())).decision).toBe('deny');
  });

  test('a cancelled call is released at once with a deny and no warning, and no hook is started for one that was cancelled before', async () => {
    const controller = new AbortController();
    let started = 0;
    const run = () => {
      started += 1;
      return new Promise<HookAnswer>(() => {});
    };
    const runner = runnerOf([hook(undefined, { run })]);
    const verdict = runner.run(event(), controller.signal);
    controller.abort();
    expect(await verdict).toMatchObject({ decision: 'deny', message: 'the call was cancelled', warnings: [] });
    expect(await runner.run(event(), controller.signal)).toMatchObject({ decision: 'deny', warnings: [] });
    expect(started).toBe(1);
  });

  test('an answer of nothing allows', async () => {
    expect(await runnerOf([hook(undefined), hook(null), hook({})]).run(event())).toMatchObject({
      decision: 'allow',
      warnings: [],
    });
  });
});

describe('registration', () => {
  test('lists the hooks in the order of the plugins, and those that hear of a tool in a tenant', () => {
    const runner = createHookRunner();
    runner.setPluginHooks({ id: 'late', order: 1 }, [hook(undefined, { matcher: 'b*', failClosed: true })]);
    runner.setPluginHooks({ id: 'early', order: 0, tenants: ['acme'] }, [
      hook(undefined, { event: 'PostToolUse', matcher: ' ' }),
      hook(undefined, { event: 'Stop' }),
    ]);
    const late = { plugin: 'late', event: 'PreToolUse', matcher: 'b*', failClosed: true };
    const early = { plugin: 'early', event: 'PostToolUse', matcher: '*', failClosed: false };
    expect(runner.list()).toEqual([early, { ...early, event: 'Stop' }, late]);
    expect(runner.list({ toolName: 'Bash', person: { tenant: 'acme', user: '' } })).toEqual([early, late]);
    expect(runner.list({ toolName: 'bash', person: { tenant: '', user: '' } })).toEqual([late]);
    expect(runner.list({ toolName: 'read', person: { tenant: '', user: '' } })).toEqual([]);
  });

  test('a plugin without hooks left, or removed, is asked nothing any more', async () => {
    const runner = createHookRunner();
    const owner = { id: 'gate', order: 0 };
    runner.setPluginHooks(owner, [hook({ decision: 'deny' }), hook({ decision: 'deny' }, { event: 'PostToolUse' })]);
    expect(runner.hasHooks('PreToolUse', 'bash')).toBe(true);
    runner.setPluginHooks(owner, [hook({ decision: 'ask' }, { matcher: 'git_*' })]);
    expect(['bash', 'git_log'].map((name) => runner.hasHooks('PreToolUse', name))).toEqual([false, true]);
    expect(runner.hasHooks('PostToolUse', 'bash')).toBe(false);
    runner.removePlugin('gate');
    expect(runner.hasHooks('PreToolUse', 'git_log')).toBe(false);
    expect(await runner.run(event({ toolName: 'git_log' }))).toMatchObject({ decision: 'allow', messages: [] });
  });

  test("a tenant's plugin sees that tenant's calls only", async () => {
    const runner = createHookRunner();
    runner.setPluginHooks({ id: 'acme-gate', order: 0, tenants: ['acme'] }, [hook({ decision: 'deny' })]);
    expect((await runner.run(event({}, 'acme'))).decision).toBe('deny');
    expect((await runner.run(event({}, 'other'))).decision).toBe('allow');
  });

  test('an event without a tool concerns every hook of it', async () => {
    const runner = runnerOf([hook({ decision: 'ask' }, { event: 'SessionStart', matcher: 'git_*' })]);
    expect((await runner.run(event({ event: 'SessionStart', toolName: '' }))).decision).toBe('ask');
  });

  test('a matcher that cannot be read is refused by name, and the earlier hooks stay', () => {
    const runner = createHookRunner();
    runner.setPluginHooks({ id: 'gate', order: 0 }, [hook({ decision: 'deny' })]);
    const bomb = '{a,b}'.repeat(12);
    expect(() => runner.setPluginHooks({ id: 'gate', order: 0 }, [hook({}, { matcher: bomb })])).toThrow(
      /plugin gate: the matcher .* PreToolUse/,
    );
    expect(runner.hasHooks('PreToolUse', 'bash')).toBe(true);
  });
});
