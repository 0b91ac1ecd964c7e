import { expect, test } from 'vitest';
import { createKnownAddresses } from './known-addresses.ts';

test('an address has the names that led to it, each once', () => {
  const known = createKnownAddresses(10);
  for (const name of ['a.example', 'b.example', 'a.example']) known.add([1, 2, 3, 4], name);
  expect(known.namesOf([1, 2, 3, 4])).toEqual(['b.example', 'a.example']);
  expect(known.namesOf([1, 2, 3, 5])).toEqual([]);
});

test('the address that was looked up longest ago is forgotten first, and names of one address are bounded', () => {
  const known = createKnownAddresses(2);
  known.add([1], 'a.example');
  known.add([2], 'b.example');
  known.add([1], 'a.example');
  known.add([3], 'c.example');
  expect([1, 2, 3].map((byte) => known.namesOf([byte]).length)).toEqual([1, 0, 1]);
  for (let number = 0; number < 100; number++) known.add([1], `h${number}.example`);
  expect(known.namesOf([1])).toHaveLength(16);
});
