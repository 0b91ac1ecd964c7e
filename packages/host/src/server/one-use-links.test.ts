import { expect, test } from 'vitest';
import { createOneUseLinks } from './one-use-links.ts';

test('a code stands for its token once, for a quarter of an hour', () => {
  let now = 0;
  const links = createOneUseLinks(() => now);
  const [one, two] = [links.create('a'), links.create('b')];
  expect([links.redeem(one), links.redeem(one)]).toEqual(['a', undefined]);
  now = 15 * 60_000;
  expect([links.redeem(two), links.redeem('x'), links.redeem('')]).toEqual([undefined, undefined, undefined]);
});

test('the oldest of too many codes is forgotten', () => {
  const links = createOneUseLinks();
  const codes = Array.from({ length: 101 }, (_, index) => links.create(String(index)));
  expect(links.redeem(codes[0] ?? '')).toBeUndefined();
  expect(links.redeem(codes[1] ?? '')).toBe('1');
});
