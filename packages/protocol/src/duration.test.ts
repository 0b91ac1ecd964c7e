import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['1.5s', 1500],
    ['16.144s', 16_144],
    ['1h', 3_600_000],
    ['2us', 0.002],
    ['0', 0],
    ['-1s', -1000],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['10x', '10', 's', '1s 2s', '1s2', '--1s', ' 1s', '1e3s'])('refuses %s and shows the right form', (text) => {
    expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration: write it like 500ms, 30s or 1m30s`);
  });

  it('refuses an empty text', () => {
    expect(() => parseDuration('')).toThrow('write it like 500ms');
  });
});

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36_000_000 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});
