import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOfId, readMessage } from './read-message.ts';

const request = (id: string, more = '') => `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}`;

function rawIdOf(text: string): string {
  const message = readMessage(text);
  if (message.kind !== 'request') throw new Error(`not a request: ${message.kind}`);
  return message.rawId;
}

describe('the id of a request', () => {
  it.each(['1', '1.0', '1e2', '-0', '12345678901234567890123', '"a"', '"\\u0061"', '""', '"7"', '"{\\"id\\":2}"'])(
    'is kept as it stands in the message: %s',
    (id) => expect(rawIdOf(request(id))).toBe(id),
  );

  it.each([
    ['behind other members', '{"method":"ping","jsonrpc":"2.0","params":{"id":2,"x":["}"]},"id":1.50}', '1.50'],
    ['among blanks', '{ "jsonrpc" : "2.0" , "id" : 7.0 , "method" : "ping" }', '7.0'],
    ['given twice, where the last one counts', '{"id":1,"jsonrpc":"2.0","method":"ping","id":2.0}', '2.0'],
    [
      'under a name that is escaped',
      '{"\\u0069d":3.0,"jsonrpc":"2.0","method":"ping","params":{"a":"\\"id\\":4"}}',
      '3.0',
    ],
    ['before another one inside', '{"id" : 1.0,"jsonrpc":"2.0","method":"ping","params":{"id":1}}', '1.0'],
  ])('is found %s', (_, text, id) => expect(rawIdOf(text)).toBe(id));

  it('is that of the message, whatever its params hold', () => {
    const id = fc.oneof(fc.string(), fc.integer());
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (value, params, isLast) => {
        const rest = { jsonrpc: '2.0', method: 'ping', params };
        const text = JSON.stringify(isLast ? { ...rest, id: value } : { id: value, ...rest });
        expect(rawIdOf(text)).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('what is no message', () => {
  it.each([
    ['no JSON', '{"jsonrpc":', -32700, 'null'],
    ['a batch', `[${request('1')}]`, -32600, 'null'],
    ['a batch of nothing', '[]', -32600, 'null'],
    ['a text', '"ping"', -32600, 'null'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, '1'],
    ['no method', '{"jsonrpc":"2.0","id":"x"}', -32600, '"x"'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":5}', -32600, '1'],
    ['params that are a list', request('1', ',"params":[]'), -32600, '1'],
    ['an id that is null', request('null'), -32600, 'null'],
    ['an id that is an object', request('{}'), -32600, 'null'],
  ])('is refused with its code and its id: %s', (_, text, code, rawId) => {
    expect(readMessage(text)).toMatchObject({ kind: 'refusal', rawId, error: { code } });
  });

  it('never throws, whatever comes', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params: value })),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(readMessage(given).kind).toBeTypeOf('string');
      }),
    );
  });

  it('is not a message that is nested ten thousand levels deep', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(readMessage(request('1.0', `,"params":{"arguments":${deep}}`))).toMatchObject({
      kind: 'request',
      rawId: '1.0',
    });
  });
});

describe('the key of an id', () => {
  it('tells text from a number', () => expect(keyOfId('7')).not.toBe(keyOfId(7)));

  it('is that of nothing for what can be no id, however deep', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(keyOfId(deep)).toBe(keyOfId(undefined));
  });
});
