import { expect, it } from 'vitest';
import { formatMoment, formatWhen } from './format.ts';

const now = new Date(2026, 10, 30, 23, 30).getTime();
const minutes = (count: number) => now + count * 60_000;

it('gives today by its time, another day by its date', () => {
  expect([formatWhen(minutes(5), now), formatWhen(minutes(60), now)]).toEqual(['23:35', '1 Dec']);
});

it('gives a moment with its time, also across midnight', () => {
  expect([formatMoment(minutes(5), now), formatMoment(minutes(60), now)]).toEqual(['23:35', '1 Dec, 00:30']);
});
