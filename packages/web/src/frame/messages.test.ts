import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_DATA_CHARS, readFromFrame } from './messages.ts';

it.each([
  [{ type: 'ready' }],
  [{ type: 'pong', id: 3 }],
  [{ type: 'height', height: 120.5 }],
  [{ type: 'shown', version: 1, compileMs: 2.5 }],
  [{ type: 'failed', version: 1, phase: 'render', message: 'm', line: 3 }],
  [{ type: 'action', id: 1, action: 'order', data: { count: 1, list: ['a', { b: null }] } }],
])('takes %j as it is', (message) => {
  expect(readFromFrame(message)).toEqual(message);
});

it('takes of an action what JSON says of it, without what would reach a prototype', () => {
  const data = JSON.parse('{"__proto__":{"polluted":1},"deep":{"__proto__":{"polluted":1},"own":1}}');
  const read = readFromFrame({ type: 'action', id: 1, action: 'a', data });
  expect(read).toEqual({ type: 'action', id: 1, action: 'a', data: { deep: { own: 1 } } });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it.each([
  ['too much', { text: 'x'.repeat(MAX_DATA_CHARS) }],
  ['a list', [1]],
  ['a text', 'text'],
  ['a large number', 1n],
])('leaves an action with %s as its data alone', (_what, data) => {
  expect(readFromFrame({ type: 'action', id: 1, action: 'a', data })).toBeUndefined();
});

it('cuts what went wrong to a length that can be shown', () => {
  const read = readFromFrame({ type: 'failed', version: 1, phase: 'event', message: 'x'.repeat(100_000) });
  expect(read).toMatchObject({ message: 'x'.repeat(2_000) });
});

it('reads anything without throwing, into nothing or one of the known messages', () => {
  const types = fc.constantFrom(
    'ready',
    'height',
    'shown',
    'failed',
    'action',
    'pong',
    'show',
    '__proto__',
    'toString',
  );
  const near = fc.record(
    {
      type: types,
      id: fc.anything(),
      version: fc.anything(),
      height: fc.anything(),
      action: fc.anything(),
      data: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.anything()), (value) => {
      const read = readFromFrame(value);
      if (read) expect(['ready', 'height', 'shown', 'failed', 'action', 'pong']).toContain(read.type);
    }),
  );
});
