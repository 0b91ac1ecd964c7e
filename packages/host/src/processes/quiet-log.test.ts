import { expect, test } from 'vitest';
import { createQuietLog } from './quiet-log.ts';

test('writes the first notes of each second, and how many were left out', () => {
  let now = 0;
  const written: string[] = [];
  const log = createQuietLog<'debug'>(
    (message, level) => void written.push(`${level ?? 'info'} ${message}`),
    () => now,
  );
  for (let index = 0; index < 1_000_000; index++) log(`n${index}`, 'debug');
  expect(written).toHaveLength(200);
  expect(written.at(-1)).toBe('debug n199');
  now = 1000;
  log('later', 'debug');
  expect(written.slice(200)).toEqual(['info left out 999800 more notes of the second before', 'debug later']);
});
