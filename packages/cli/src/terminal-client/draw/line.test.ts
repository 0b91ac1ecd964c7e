import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutLine, lineWidth, span, textLines } from './line.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', '界', '👨‍👩‍👧', 'e\u0301', '🇩🇪', '\u0300', '━'), { maxLength: 200 })
    .map((parts) => parts.join('')),
);

it('leaves a line that fits as it is, and cuts every other one to at most the width', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.integer({ min: 1, max: 90 }), (texts, width) => {
      const line = texts.map((one) => span(one));
      const cut = cutLine(line, width);
      if (lineWidth(line) <= width) expect(cut).toBe(line);
      else expect(lineWidth(cut)).toBeLessThanOrEqual(width);
    }),
  );
});

it('cuts a line of many megabytes without measuring it', () => {
  const [line = []] = textLines('界'.repeat(3_000_000));
  const before = process.cpuUsage();
  for (let frame = 0; frame < 20; frame++) cutLine(line, 80);
  // Measured as a whole it is seconds for each.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5000);
});
