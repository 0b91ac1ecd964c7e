import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest } from './call-path/approver.ts';
import { hookOf } from './call-path/fixtures/hook-of.ts';
import { createTestCallPath, eventLog } from './call-path/fixtures/test-call-path.ts';
import type { HookEvent, RuntimeCallContext } from './runtimes/runtime.ts';
import { PluginCrash } from './runtimes/runtime.ts';

const ECHO = { echo: (input: unknown) => JSON.stringify(input) };
const COUNT = { echo: { inputSchema: { type: 'object', properties: { count: { type: 'integer' } } } } };

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
