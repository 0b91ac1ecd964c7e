import { expect, it } from 'vitest';
import { messageOf } from './message-of.ts';

const hostile = {
  toString() {
    throw new Error('no');
  },
};

it('gives the message of an error, and any other value as text', () => {
  expect(messageOf(new TypeError('no such file'))).toBe('no such file');
  expect([messageOf('late'), messageOf(undefined), messageOf(7)]).toEqual(['late', 'undefined', '7']);
});

it.each([[hostile], [Object.create(null)], [Object.defineProperty(new Error(), 'message', { value: hostile })]])(
  'says so of a value that cannot be shown (%#)',
  (thrown) => {
    expect(messageOf(thrown)).toBe('something was thrown that cannot be shown');
  },
);
