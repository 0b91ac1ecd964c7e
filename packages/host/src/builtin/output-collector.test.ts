import { expect, test } from 'vitest';
import { createOutputCollector } from './output-collector.ts';

test('keeps a text that fits whole, however it comes in pieces', () => {
  const collector = createOutputCollector(20);
  for (const piece of ['0123', '456789a', '', 'bcdefghi', 'j']) collector.push(piece);
  expect(collector.text()).toBe('0123456789abcdefghij');
  expect(collector.isTruncated).toBe(false);
});

test('keeps head and tail of a longer one and counts what is between', () => {
  const collector = createOutputCollector(40_000);
  const pieces = Array.from({ length: 20_000 }, (_, index) => `line ${String(index).padStart(5, '0')}\n`);
  for (const piece of pieces) collector.push(piece);
  const whole = pieces.join('');
  const [, head = '', count, tail = ''] =
    /^(.*)\n\.\.\. \((\d+) characters left out\) \.\.\.\n(.*)$/s.exec(collector.text()) ?? [];
  expect(whole.startsWith(head)).toBe(true);
  expect(whole.endsWith(tail)).toBe(true);
  expect(head.length).toBe(20_000);
  expect(tail.length).toBeGreaterThanOrEqual(20_000);
  expect(head.length + Number(count) + tail.length).toBe(whole.length);
  expect(collector.isTruncated).toBe(true);
});

test('never parts a surrogate pair', () => {
  const collector = createOutputCollector(6);
  collector.push(`ab${'\u{1F600}'.repeat(10)}`);
  expect(collector.text().isWellFormed()).toBe(true);
});
