import { expect, test } from 'vitest';
import { isAtEnd, keysIn, scrolledTo, viewAfterKey } from './pager.ts';

const view = { top: 10, count: 100, height: 20 };
const after = (...keys: string[]) =>
  keys.reduce<typeof view | undefined>((now, key) => now && viewAfterKey(now, key), view)?.top;

test('keys move by lines, by pages and to the ends, and never beyond them', () => {
  expect([after('k'), after('\u001b[B'), after(' '), after('\u001b[5~'), after('g'), after('G')]).toEqual([
    9, 11, 29, 0, 0, 80,
  ]);
  expect(after('G', 'j', ' ')).toBe(80);
  expect(scrolledTo({ ...view, count: 5 }, 3).top).toBe(0);
  expect(isAtEnd(scrolledTo(view, 80))).toBe(true);
});

test('q, Esc, Ctrl-O and Ctrl-C close it; a key without a meaning does nothing', () => {
  for (const key of ['q', '\u001b', '\u000f', '\u0003']) expect(viewAfterKey(view, key)).toBeUndefined();
  expect(after('x')).toBe(10);
});

test('several keys that come together are each one', () => {
  expect(keysIn('g\u001b[Bq\u001b[5~\u001bOA\u001b')).toEqual([
    'g',
    '\u001b[B',
    'q',
    '\u001b[5~',
    '\u001bOA',
    '\u001b',
  ]);
});
