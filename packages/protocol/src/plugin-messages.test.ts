import { describe, expect, it } from 'vitest';
import {
  readCallAnswer,
  readHookAnswer,
  readOutput,
  readPluginRequest,
  readProgress,
  writeHookAnswer,
} from './plugin-messages.ts';

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
