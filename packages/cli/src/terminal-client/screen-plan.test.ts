import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from './input/cells.ts';
import { planScreen } from './screen-plan.ts';

test('together the parts are never as high as the screen', () => {
  const screens = fc.record({
    rows: fc.integer({ min: 12, max: 200 }),
    columns: fc.integer({ min: 20, max: 200 }),
    text: fc.string({ unit: fc.constantFrom('a', ' ', '\n'), maxLength: 2000 }),
    queued: fc.nat(100),
  });
  fc.assert(
    fc.property(screens, ({ rows, columns, text, queued }) => {
      const prompt = { text: { cells: cellsOf(text), cursor: 0 }, menu: undefined };
      const plan = planScreen({ rows, columns, prompt, queued, isAsking: false });
      // An empty row, that a turn runs, and the status.
      expect(plan.live + plan.queued + 1 + 3).toBeLessThan(rows);
      expect(Math.min(...Object.values(plan))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('a question has the screen, but for some rows of what goes on', () => {
  const prompt = { text: { cells: [], cursor: 0 }, menu: undefined };
  const plan = planScreen({ rows: 24, columns: 80, prompt, queued: 0, isAsking: true });
  expect(plan.live).toBeLessThan(plan.question);
});
