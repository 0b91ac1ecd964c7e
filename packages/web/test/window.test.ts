import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut, nextRange, type Range, reachOf } from '../src/session/window.ts';

const heights = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 200 });
const sight = fc.record({ heights, top: fc.nat(300_000), height: fc.integer({ min: 1, max: 2000 }) });

/** All steps from one range until nothing is missing. */
function stepsFrom(range: Range, reach: ReturnType<typeof reachOf>): readonly Range[] {
  const steps = [range];
  for (;;) {
    const last = steps.at(-1) ?? range;
    const next = nextRange(last, reach);
    if (next.first === last.first && next.end === last.end) return steps;
    steps.push(next);
    if (steps.length > 1000) throw new Error('it never ends');
  }
}

test('what is seen comes to be there from wherever it was before, a part at a time, and what is far goes', () => {
  fc.assert(
    fc.property(sight, fc.nat(250), fc.nat(20), (seen, first, length) => {
      const reach = reachOf(seen);
      const steps = stepsFrom({ first, end: first + length }, reach);
      const last = steps.at(-1);
      expect(last?.first).toBeLessThanOrEqual(reach.near.first);
      expect(last?.end).toBeGreaterThanOrEqual(reach.near.end);
      expect(last?.first).toBeGreaterThanOrEqual(Math.min(reach.far.first, reach.near.first));
      expect(last?.end).toBeLessThanOrEqual(seen.heights.length);
      const sizes = steps.slice(1).map((step) => step.end - step.first);
      for (const [index, size] of sizes.entries())
        if (index > 0) expect(size - (sizes[index - 1] ?? 0)).toBeLessThan(2);
    }),
  );
});

test('after a jump the part in the middle of what is seen is the first', () => {
  const seen = { heights: Array.from({ length: 100 }, () => 500), top: 40_000, height: 800 };
  expect(nextRange({ first: 0, end: 5 }, reachOf(seen))).toEqual({ first: 80, end: 81 });
});

test('parts that are not there take the place that they would have, whichever are', () => {
  fc.assert(
    fc.property(heights, fc.func(fc.boolean()), (all, isThere) => {
      const pieces = layOut(all, isThere);
      const there = pieces.flatMap((piece) => ('part' in piece ? [piece.part] : []));
      expect(there).toEqual([...all.keys()].filter((part) => isThere(part)));
      const awayPx = pieces.reduce((sum, piece) => sum + ('awayPx' in piece ? piece.awayPx : 0), 0);
      const expected = all.reduce((sum, height, part) => sum + (isThere(part) ? 0 : height), 0);
      expect(awayPx).toBe(expected);
    }),
  );
});
