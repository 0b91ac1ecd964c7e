import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from './call-path/approver.ts';
import { createTestCallPath, eventLog } from './call-path/fixtures/test-call-path.ts';
import type { HookAnswer, HookEvent, RuntimeCallContext } from './runtimes/runtime.ts';
import { PluginCrash } from './runtimes/runtime.ts';

const ECHO = { echo: (input: unknown) => JSON.stringify(input) };
const COUNT = { echo: { inputSchema: { type: 'object', properties: { count: { type: 'integer' } } } } };

/** A tool that runs until its signal aborts, and says when it began and what it was told. */
function patientTool() {
  const began = Promise.withResolvers<RuntimeCallContext>();
  const told = Promise.withResolvers<unknown>();
  const end = Promise.withResolvers<string>();
  return {
    began: began.promise,
    told: told.promise,
    end: end.resolve,
    execute(_input: unknown, context: RuntimeCallContext) {
      context.abortSignal.addEventListener('abort', () => told.resolve(context.abortSignal.reason));
      began.resolve(context);
      return end.promise;
    },
  };
}

describe('resolve', () => {
  test('an unknown name is not-found, is announced all the same, and near names are given', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: { python_greet: () => 'hi' } } } });
    const { events, onEvent } = eventLog();
    const record = await path.call('python_gret', {}, { onEvent });
    expect(record).toMatchObject({ outcome: 'not-found', isError: true, plugin: '', name: 'python_gret' });
    expect(record.text).toMatch(/"python_gret".*Did you mean python_greet\?/);
    expect(events.map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-end']);
  });

  test('another case of the name reaches the tool, and the record has its own name', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: { Read: () => 'text' } } } });
    expect(await path.call('READ')).toMatchObject({ outcome: 'completed', name: 'Read', plugin: 'p', text: 'text' });
  });
});

describe('validate', () => {
  test("an argument that the tool does not know is a warning of the user's own call only", async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: { echo: () => 'ok' }, definitions: COUNT } } });
    const { events, onEvent } = eventLog();
    await path.call('echo', { cuont: 1 }, { onEvent });
    expect(events.map(({ type }) => type)).not.toContain('warning');
    await path.call('echo', { cuont: 1 }, { onEvent, isUserCall: true });
    expect(events.find(({ type }) => type === 'warning')).toEqual({
      type: 'warning',
      message: 'echo has no argument "cuont": did you mean count?',
    });
  });

  test('half a character is refused for a tool that says it changes things, before anybody is asked', async () => {
    const seen: unknown[] = [];
    const inputSchema = { type: 'object' as const };
    const path = await createTestCallPath({
      permissions: {},
      plugins: {
        p: {
          tools: {
            store: (input: unknown) => String(seen.push(input)),
            tell: (input: unknown) => JSON.stringify(input),
          },
          definitions: {
            store: { inputSchema, annotations: { readOnlyHint: false } },
            tell: { inputSchema },
          },
        },
      },
    });
    const asked: ApprovalRequest[] = [];
    const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
      asked.push(request);
      return { answer: 'once', by: 'test' };
    };
    const record = await path.call('store', '{"content":"a \\ud83d"}', { approve });
    expect(record).toMatchObject({ outcome: 'invalid-input', text: expect.stringContaining('"content" holds half') });
    expect({ seen, asked }).toEqual({ seen: [], asked: [] });
    expect((await path.call('tell', '{"content":"a \\ud83d"}', { approve })).text).toBe('{"content":"a \ufffd"}');
    expect(asked).toHaveLength(1);
  });

  test('a tool never runs with invalid arguments, and gets repaired ones', async () => {
    const seen: unknown[] = [];
    const tools = { echo: (input: unknown) => void seen.push(input) };
    const path = await createTestCallPath({ plugins: { p: { tools, definitions: COUNT } } });
    expect((await path.call('echo', { count: 'x' })).outcome).toBe('invalid-input');
    expect((await path.call('echo', '{"count":')).outcome).toBe('invalid-input');
    expect((await path.call('echo', { count: '5' })).outcome).toBe('completed');
    expect(seen).toEqual([{ count: 5 }]);
  });

  test('arguments that are missing, or that a program gives as an object, are taken as a model means them', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } } });
    const given: [arguments: unknown, text: string][] = [
      [undefined, '{}'],
      [null, '{}'],
      [{ a: 1 }, '{"a":1}'],
    ];
    for (const [args, text] of given) expect((await path.callUntyped('echo', args)).text).toBe(text);
    for (const args of [5, [1], () => 1, 1n, cyclic()]) {
      expect((await path.callUntyped('echo', args)).outcome).toBe('invalid-input');
    }
  });

  test('the input text of the context is written from what was validated', async () => {
    const tools = { echo: (_input: unknown, { input }: RuntimeCallContext) => input };
    const path = await createTestCallPath({ plugins: { p: { tools, definitions: COUNT } } });
    expect((await path.call('echo', '{"count":"1","count":"2"}')).text).toBe('{"count":2}');
  });
});

describe('settle', () => {
  test('whatever a tool returns or throws, synchronously or not, there is a record and the text is well-formed', async () => {
    let made: unknown;
    let ways = { isThrown: false, isAsync: false };
    const tools = {
      odd() {
        if (ways.isThrown && !ways.isAsync) throw made;
        if (ways.isThrown) return Promise.reject(made);
        return ways.isAsync ? Promise.resolve(made) : made;
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools } } });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const giveProxy = () => proxy;
    const oddities = fc.constantFrom<unknown>(
      Object.create(null),
      Object.assign(new Error('x'), { message: { not: 'text' } }),
      Object.assign(new Error(''), { name: Symbol('s') }),
      { toString: () => fail() },
      {
        get message() {
          return fail();
        },
      },
      { content: [{ type: 'text' }] },
      { content: 5 },
      { isError: 'yes' },
      { [Symbol.toPrimitive]: 5 },
      Symbol('s'),
      () => 1,
      10n,
      new Map([[1, 2]]),
      cyclic(),
      giveProxy,
      '\ud83d',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(oddities, fc.anything()),
        fc.boolean(),
        fc.boolean(),
        async (value, isThrown, isAsync) => {
          // A revoked proxy cannot pass through fast-check itself.
          made = value === giveProxy ? proxy : value;
          ways = { isThrown, isAsync };
          const record = await path.call('odd');
          expect(['completed', 'failed']).toContain(record.outcome);
          if (isThrown) expect(record).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/./s) });
          expect(record.text.isWellFormed()).toBe(true);
          expect(() => JSON.stringify(record)).not.toThrow();
        },
      ),
      { numRuns: 300 },
    );
    expect(path.journal().length).toBeGreaterThan(200);
  });

  test('a thenable that answers twice, or throws, settles the call once', async () => {
    const thenable = (then: (resolve: (value: string) => void) => void) =>
      Object.defineProperty({}, 'then', { value: then });
    const twice = thenable((resolve) => {
      resolve('one');
      resolve('two');
    });
    const throwing = thenable(() => fail());
    const path = await createTestCallPath({
      plugins: { p: { tools: { twice: () => twice, throwing: () => throwing } } },
    });
    expect(await path.call('twice')).toMatchObject({ outcome: 'completed', text: 'one' });
    expect(await path.call('throwing')).toMatchObject({ outcome: 'failed', text: 'thrown' });
  });

  test('a plugin that died is crashed, an error result failed', async () => {
    const tools = {
      die: () => Promise.reject(new PluginCrash('it exited with status 7')),
      fail: () => ({ content: 'out of paper', isError: true, metadata: { exitCode: 3 } }),
    };
    const path = await createTestCallPath({ plugins: { p: { tools } } });
    expect(await path.call('die')).toMatchObject({ outcome: 'crashed', text: expect.stringContaining('status 7') });
    expect(await path.call('fail')).toMatchObject({
      outcome: 'failed',
      text: 'out of paper',
      metadata: { exitCode: 3 },
    });
  });

  test('a tool that changes its input, even into a circle, changes nothing that is recorded', async () => {
    const tools = {
      echo(input: Record<string, unknown>) {
        input.count = input;
        return 'done';
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools, definitions: COUNT } } });
    const told: HookEvent[] = [];
    path.hooks.setPluginHooks({ id: 'h', order: 0 }, [
      hookOf('PostToolUse', (event) => {
        told.push(event);
      }),
    ]);
    expect((await path.call('echo', { count: '5' })).outcome).toBe('completed');
    expect(told[0]?.toolInput).toBe('{"count":5}');
    expect(path.journal()[0]).toMatchObject({ finalArguments: { count: 5 }, repairs: [{ from: '5', to: 5 }] });
  });

  test('the journal has the model’s own text, whatever a runtime has made of it', async () => {
    const quoted: string[] = [];
    const tools = {
      quote(_input: unknown, { quotedInput }: RuntimeCallContext) {
        quoted.push(quotedInput);
        return 'quoted';
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools } } });
    const texts = ['{"text":"a \\"b\\""}', '{ "text": "first", "text": "second" }'];
    for (const text of texts) await path.call('quote', text);
    expect(quoted.map((text) => JSON.parse(text))).toEqual([texts[0], '{"text":"second"}']);
    expect(path.journal().map((entry) => entry.arguments)).toEqual(texts);
  });
});

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

function hookOf(event: string, run: (event: HookEvent) => unknown) {
  return { event, run: async (given: HookEvent) => ((await run(given)) ?? { decision: 'allow' }) as HookAnswer };
}

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

describe('permissions', () => {
  const ask = { yes: false };

  test('without anyone to ask, an ask is a deny that names what would allow it', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const record = await path.call('echo');
    expect(record.outcome).toBe('denied');
    expect(record.text).toMatch(/--allow 'echo'.*--yes/);
  });

  test('the user’s own call is its answer, but a deny rule holds', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: { ...ask, deny: ['echo'] } });
    expect((await path.call('echo', {}, { isUserCall: true })).outcome).toBe('denied');
    const open = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    expect((await open.call('echo', {}, { isUserCall: true })).outcome).toBe('completed');
  });

  test('a yes for once is asked again; one for the session covers these arguments only', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const asked: ApprovalRequest[] = [];
    const answering = (answer: ApprovalAnswer['answer']) => ({
      async approve(request: ApprovalRequest) {
        asked.push(request);
        return { answer, by: 'ann' };
      },
    });
    await path.call('echo', { a: 1 }, answering('once'));
    await path.call('echo', { a: 1 }, answering('session'));
    await path.call('echo', { a: 1 }, answering('no'));
    expect(asked).toHaveLength(2);
    expect((await path.call('echo', { a: 2 }, answering('no'))).outcome).toBe('denied');
    expect((await path.call('echo', { a: 1 }, { ...answering('no'), session: { id: 'other' } })).outcome).toBe(
      'denied',
    );
    expect(asked).toHaveLength(4);
    expect(asked[0]).toMatchObject({ name: 'echo', plugin: 'p', arguments: '{"a":1}', toolCallId: 'c1' });
    expect(path.journal().map(({ rule }) => rule)).toEqual([
      'answered once by ann',
      'answered session by ann',
      'remembered approval',
      'answered no by ann',
      'answered no by ann',
    ]);
  });

  test('the reason of a no reaches the model, the events show question and answer', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const { events, onEvent } = eventLog();
    const record = await path.call(
      'echo',
      {},
      { onEvent, approve: async () => ({ answer: 'no', by: 'ann', reason: 'use grep' }) },
    );
    expect(record.text).toContain('use grep');
    expect(events.map(({ type }) => type)).toEqual([
      'tool-call-start',
      'approval-request',
      'approval-end',
      'tool-call-end',
    ]);
    expect(events[2]).toMatchObject({ answer: 'no', by: 'ann' });
  });

  test('a secret in the arguments is masked in the events, not in what the person is asked', async () => {
    const path = await createTestCallPath({
      plugins: { p: { tools: ECHO } },
      permissions: ask,
      secrets: ['sk-1234567'],
    });
    const { events, onEvent } = eventLog();
    const asked: string[] = [];
    const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
      asked.push(request.arguments);
      return { answer: 'once', by: 'ann' };
    };
    expect((await path.call('echo', { key: 'sk-1234567' }, { onEvent, approve })).outcome).toBe('completed');
    expect(asked).toEqual(['{"key":"sk-1234567"}']);
    expect(JSON.stringify(events)).toContain('[redacted]');
    expect(JSON.stringify(events)).not.toContain('sk-1234567');
  });

  test('a rule holds for each of two files whose names differ in the form of their accents only', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-root-')));
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key.txt'), 'k');
    writeFileSync(join(root, 'caf\u00e9.txt'), 'harmless');
    symlinkSync('secret/key.txt', join(root, 'cafe\u0301.txt'));
    const definition = {
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      primaryArg: 'path',
    };
    const path = await createTestCallPath({
      plugins: { p: { tools: { open: () => 'opened' }, definitions: { open: definition } } },
      permissions: { deny: ['open(secret/**)'], allow: ['open'] },
    });
    const session = { roots: [root] };
    expect((await path.call('open', { path: 'caf\u00e9.txt' }, { session })).outcome).toBe('completed');
    expect((await path.call('open', { path: 'cafe\u0301.txt' }, { session })).outcome).toBe('denied');
  });

  test('a front end that fails to ask has no yes, and a caller that goes away is not kept', async () => {
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO } }, permissions: ask });
    const broken = await path.call('echo', {}, { approve: () => Promise.reject(new Error('screen is gone')) });
    expect(broken).toMatchObject({ outcome: 'denied', text: expect.stringContaining('screen is gone') });
    const throwing = await path.call('echo', {}, { approve: () => fail() });
    expect(throwing).toMatchObject({ outcome: 'denied', text: expect.stringContaining('thrown') });
    const controller = new AbortController();
    const approve = () => {
      controller.abort();
      return new Promise<ApprovalAnswer>(() => {});
    };
    expect((await path.call('echo', {}, { approve, abortSignal: controller.signal })).outcome).toBe('cancelled');
  });

  test('a deny rule for a folder also holds for a link into it, and for what does not exist there yet', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-root-')));
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret', 'key.txt'), 'k');
    symlinkSync('secret', join(root, 'harmless'));
    const definition = {
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      primaryArg: 'path',
    };
    const path = await createTestCallPath({
      plugins: { p: { tools: { show: ({ path }) => path }, definitions: { show: definition } } },
      permissions: { yes: true, deny: ['show(secret/**)'] },
    });
    const session = { roots: [root] };
    symlinkSync(join(root, 'secret', 'planned.txt'), join(root, 'dangling'));
    for (const link of ['harmless/key.txt', 'harmless/new/file.txt', 'dangling', 'harmless/../harmless/key.txt']) {
      expect((await path.call('show', { path: link }, { session })).outcome).toBe('denied');
    }
    expect((await path.call('show', { path: 'other.txt' }, { session })).outcome).toBe('completed');
  });
});

describe('what leaves a call', () => {
  test('secrets are in no event, record, journal line or kept file', async () => {
    const secret = 'sk-very "secret" value';
    const tools = {
      leak(_input: unknown, { output, progress }: RuntimeCallContext) {
        output(secret.slice(0, 7));
        output(secret.slice(7));
        progress({ progress: 1, message: secret });
        return { content: secret.repeat(1000), structuredContent: { secret }, metadata: { secret } };
      },
    };
    const path = await createTestCallPath({ plugins: { p: { tools } }, secrets: [secret], outputBytes: 1000 });
    const { events, onEvent } = eventLog();
    const record = await path.call('leak', { key: secret }, { onEvent });
    const everything = JSON.stringify([record, events, path.journal()]);
    expect(everything).not.toMatch(/sk-very|secret\\+" value/);
    expect(everything).toContain('[redacted]');
  });

  test('a capped result names the file of the session’s own', async () => {
    const path = await createTestCallPath({
      plugins: { p: { tools: { long: () => 'y'.repeat(5000) } } },
      outputBytes: 100,
    });
    const { metadata, text } = await path.call('long');
    expect(text).toContain(String(metadata?.fullOutput));
    expect(String(metadata?.fullOutput)).toMatch(/outputs.s.c1\.txt$/);
  });

  test('the primary argument is shown with the start of the call', async () => {
    const definitions = { echo: { primaryArg: 'q' } };
    const path = await createTestCallPath({ plugins: { p: { tools: ECHO, definitions } } });
    const { events, onEvent } = eventLog();
    await path.call('echo', { q: 'weather' }, { onEvent });
    expect(events[0]).toMatchObject({ type: 'tool-call-start', displayArg: 'weather', arguments: '{"q":"weather"}' });
  });
});

function fail(): never {
  throw new Error('thrown');
}

function cyclic(): object {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  return circle;
}
