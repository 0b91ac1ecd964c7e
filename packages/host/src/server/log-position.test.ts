import { expect, test } from 'vitest';
import { positionOf, startAt } from './log-position.ts';

const log = { epoch: 'e1', lastSeq: 10 };

test.each([
  [undefined, 0, false],
  ['', 0, false],
  ['e1:7', 7, false],
  ['7', 7, false],
  ['e1:10', 10, false],
  ['e1:11', 0, true],
  ['e2:7', 0, true],
  ['e2:0', 0, false],
])('a reader that was at %j goes on behind %j', (position, afterSeq, isReset) => {
  expect(startAt(position, log)).toEqual({ afterSeq, isReset });
});

test.each(['x', 'e1:', 'e1:-1', 'e1:1.5', 'e1:1:2', ':', 'e1:99999999999999999'])('%j is no position', (position) => {
  expect(startAt(position, log)).toBeUndefined();
});

test('a position is read as it is written', () => {
  expect(startAt(positionOf('e1', 3), log)?.afterSeq).toBe(3);
});
