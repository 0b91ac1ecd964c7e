import { describe, expect, it } from 'vitest';
import { kindOfPluginMessage, messageId, parseWireLine } from './stdio-wire.ts';

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
