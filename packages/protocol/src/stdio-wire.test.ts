import { describe, expect, it } from 'vitest';
import { NO_CONTENT } from './plugin-content.ts';
import {
  kindOfPluginMessage,
  messageId,
  parseWireLine,
  readActivateAnswer,
  readCallAnswer,
  readHookAnswer,
  readOutput,
  readPluginRequest,
  readProgress,
  writeHookAnswer,
} from './stdio-wire.ts';

describe('parseWireLine', () => {
  it.each(['=== banner ===', '{', '[1, 2]', '42', '', '{"result": "cut'])('takes %j for noise', (line) => {
    expect(parseWireLine(line)).toBeUndefined();
  });

  it('reads an object, also behind white space', () => {
    expect(parseWireLine('  {"result":"x"}')).toEqual({ result: 'x' });
  });
});

describe('kindOfPluginMessage', () => {
  it.each([
    [{ result: null }, 'answer'],
    [{ id: '7', error: 'x' }, 'answer'],
    [{ tools: [] }, 'answer'],
    [{ hookResult: {} }, 'answer'],
    [{}, 'answer'],
    [{ id: '7', output: { stream: 'stdout', text: 'x' } }, 'output'],
    [{ id: '7', progress: { progress: 1 } }, 'progress'],
    [{ id: 'p1', method: 'storage_get', params: {} }, 'request'],
    [{ method: 'log' }, 'push'],
    [{ level: 'info', message: 'not an answer' }, 'unknown'],
  ] as const)('says what %j is', (message, kind) => {
    expect(kindOfPluginMessage({ ...message })).toBe(kind);
  });

  it('reads a number as the id that it stands for', () => {
    expect(messageId({ id: 7 })).toBe('7');
    expect(messageId({ id: 'abc' })).toBe('abc');
    expect(messageId({ id: null })).toBeUndefined();
  });
});

describe('readActivateAnswer', () => {
  it("reads the seed's own example", () => {
    const answer = readActivateAnswer({
      tools: [
        {
          name: 'python_greet',
          description: 'Greet someone by name.',
          parameters: [{ name: 'name', type: 'string', description: 'The person to greet', required: true }],
          inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      ],
    });
    expect(answer.protocolVersion).toBe(1);
    expect(answer.tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
  });

  it.each(['channel_provider', 'channelProvider'])('reads %s, hooks and enrichers', (key) => {
    expect(
      readActivateAnswer({
        protocolVersion: 2,
        hooks: [{ event: 'PreToolUse', matcher: 'v2_*', failClosed: true }, { event: 'PostToolUse' }],
        enrichers: [{ name: 'clock' }, { name: 'weather', priority: 10 }],
        [key]: { name: 'tickets', config_schema: [{ key: 'token' }] },
      }),
    ).toEqual({
      protocolVersion: 2,
      tools: [],
      refusedTools: [],
      hooks: [{ event: 'PreToolUse', matcher: 'v2_*', failClosed: true }, { event: 'PostToolUse' }],
      enrichers: [{ name: 'clock' }, { name: 'weather', priority: 10 }],
      content: NO_CONTENT,
      subscriptions: [],
      channelProvider: { name: 'tickets', configSchema: [{ key: 'token' }] },
    });
  });

  it('leaves out a tool that is declared wrongly, with the reason, and keeps the others', () => {
    const { tools, refusedTools } = readActivateAnswer({
      tools: [{ name: 'good', description: '' }, { name: 'bad', parameters: 5 }, 7],
    });
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(refusedTools).toEqual([expect.stringContaining('tool "bad"'), expect.any(String)]);
  });

  it('carries a refusal', () => {
    expect(readActivateAnswer({ error: 'no licence' }).error).toBe('no licence');
  });

  it.each([
    [{ tools: {} }, 'tools must be a list, got {}'],
    [{ protocolVersion: 3 }, 'protocolVersion must be 1 or 2, got 3'],
    [{ hooks: [{ event: 'PreToolUse', matcher: 5 }] }, 'hooks[0].matcher must be text, got 5'],
    [{ hooks: [{}] }, 'hooks[0].event must be non-empty text, got nothing'],
    [{ channel_provider: { name: '' } }, 'channelProvider.name must be non-empty text, got ""'],
  ])('refuses %j', (message, text) => {
    expect(() => readActivateAnswer(message)).toThrow(text);
  });
});

describe('readCallAnswer', () => {
  it('gives any result as it is, and an error as text', () => {
    expect(readCallAnswer({ result: null })).toEqual({ ok: true, result: null });
    expect(readCallAnswer({ result: 42 })).toEqual({ ok: true, result: 42 });
    expect(readCallAnswer({ error: 'Unknown tool: xyz' })).toEqual({ ok: false, error: 'Unknown tool: xyz' });
    expect(readCallAnswer({ error: { message: 'deep' } })).toEqual({ ok: false, error: 'deep' });
    expect(readCallAnswer({ result: 'x', error: null })).toEqual({ ok: true, result: 'x' });
  });

  it('quotes an answer that is none', () => {
    expect(() => readCallAnswer({ hello: 1 })).toThrow('an answer must hold "result" or "error", got {"hello":1}');
  });
});

describe('readHookAnswer', () => {
  it.each(['hook_result', 'hookResult'])('reads %s', (key) => {
    expect(readHookAnswer({ [key]: { decision: 'deny', message: 'no' } })).toEqual({ decision: 'deny', message: 'no' });
  });

  it('allows without a hook result, as in the seed', () => {
    expect(readHookAnswer({})).toEqual({ decision: 'allow' });
  });

  it('reads back what is written, with changed arguments', () => {
    const answer = { decision: 'allow', message: 'm', updatedInput: { a: 1 } } as const;
    expect(readHookAnswer(writeHookAnswer(answer))).toEqual(answer);
  });

  it('never takes a wrong answer for an allow', () => {
    expect(() => readHookAnswer({ hook_result: { decision: 'Deny' } })).toThrow(
      'must be one of allow, defer, ask, deny, got "Deny"',
    );
    expect(() => readHookAnswer({ hook_result: 'deny' })).toThrow('hook_result must be an object, got "deny"');
    expect(() => readHookAnswer({ hook_result: { decision: 'allow', data: { updatedInput: 'x' } } })).toThrow(
      'updatedInput',
    );
    expect(() => readHookAnswer({ error: 'hook broke' })).toThrow('hook broke');
  });
});

describe('messages of a running call', () => {
  it('reads output and progress, also in short', () => {
    expect(readOutput({ output: { stream: 'stderr', text: 'x' } })).toEqual({ stream: 'stderr', text: 'x' });
    expect(readOutput({ output: 'x' })).toEqual({ stream: 'stdout', text: 'x' });
    expect(readProgress({ progress: { progress: 3, total: 10, message: 'm' } })).toEqual({
      progress: 3,
      total: 10,
      message: 'm',
    });
    expect(readProgress({ progress: 3 })).toEqual({ progress: 3 });
  });

  it('quotes what is neither', () => {
    expect(() => readOutput({ output: 5 })).toThrow('output must be {stream, text}, got 5');
    expect(() => readProgress({ progress: {} })).toThrow('progress must be {progress, total?, message?}, got {}');
  });

  it('reads a request with its call', () => {
    expect(readPluginRequest({ id: 'p1', method: 'storage_get', params: { callId: '7', key: 'k' } })).toEqual({
      id: 'p1',
      method: 'storage_get',
      params: { callId: '7', key: 'k' },
      callId: '7',
    });
    expect(() => readPluginRequest({ id: {}, method: 'ask' })).toThrow("a request's id must be text, got {}");
  });
});
