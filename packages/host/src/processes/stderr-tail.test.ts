import { expect, it } from 'vitest';
import { createStderrTail } from './stderr-tail.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

it('keeps the last lines, without blank ones', () => {
  const tail = createStderrTail({ maxLines: 2 });
  tail.push(bytes('one\n\ntwo\r\nth'));
  tail.push(bytes('ree\n'));
  expect(tail.lines()).toEqual(['two', 'three']);
});

it('cuts a long line and drops terminal control characters', () => {
  const tail = createStderrTail({ maxLineLength: 10 });
  tail.push(bytes('\x1b[31mred\x1b[0m\x07\n\x1b]0;title\x07x\n0123456789abc\n'));
  expect(tail.lines()).toEqual(['red', 'x', '0123456789 ...']);
});

it('keeps an emoji whole that came in two chunks', () => {
  const tail = createStderrTail();
  const emoji = bytes('smile 😀\n');
  tail.push(emoji.subarray(0, 8));
  tail.push(emoji.subarray(8));
  expect(tail.lines()).toEqual(['smile 😀']);
});

it('holds no more than a bounded part of a flood', () => {
  const tail = createStderrTail({ maxBytes: 100, maxLines: 1000 });
  for (let index = 0; index < 10_000; index++) tail.push(bytes(`line ${index}\n`));
  expect(tail.lines().length).toBeLessThan(30);
  expect(tail.lines().at(-1)).toBe('line 9999');
});
