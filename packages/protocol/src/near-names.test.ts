import { expect, test } from 'vitest';
import { nearNames } from './near-names.ts';

const names = ['timeout', 'maxTimeout', 'permissions', 'python_greet', 'read'];

test.each([
  ['timout', 'timeout'],
  ['tiemout', 'timeout'],
  ['Time_Out', 'timeout'],
  ['permisions', 'permissions'],
  ['pythongret', 'python_greet'],
  ['raed', 'read'],
])('takes %s for %s', (name, meant) => {
  expect(nearNames(name, names)).toEqual([meant]);
});

test('finds nothing near a name that is something else', () => {
  expect(nearNames('colour', names)).toEqual([]);
  expect(nearNames('', names)).toEqual([]);
});

test('lists the nearest first, no more than asked for', () => {
  expect(nearNames('maxTimeouts', [...names, 'maxTimeoutss', 'maxTimeout2'], 2)).toEqual(['maxTimeout', 'maxTimeout2']);
});

test('stays quick for names of a megabyte', () => {
  const huge = 'a'.repeat(1_000_000);
  expect(nearNames(huge, [huge, ...names])).toEqual([huge]);
});
