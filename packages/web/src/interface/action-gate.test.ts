import { expect, it } from 'vitest';
import { createActionGate } from './action-gate.ts';

it('lets a few actions through at once, then one a second', () => {
  let now = 0;
  const gate = createActionGate(() => now);
  const passed = (count: number) =>
    Array.from({ length: count }, gate).filter((refused) => refused === undefined).length;
  expect(passed(20)).toBe(5);
  now += 1_000;
  expect(passed(20)).toBe(1);
  now += 60_000;
  expect(passed(20)).toBe(5);
  expect(gate()).toContain('too much');
});
