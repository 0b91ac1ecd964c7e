import { expect, test } from 'vitest';
import { createPacedLog } from './paced-log.ts';

function openLog() {
  const lines: string[] = [];
  const clock = { ms: 0, looks: 0 };
  const log = createPacedLog(
    (message) => void lines.push(message),
    () => {
      clock.looks += 1;
      return clock.ms;
    },
  );
  return { log, lines, clock };
}

test('passes 200 lines of a second, and says once how many it left out', () => {
  const { log, lines, clock } = openLog();
  for (let count = 0; count < 1000; count++) log.write('x');
  expect(lines).toHaveLength(200);
  log.flush();
  expect(lines.slice(200)).toEqual(['left out 800 more lines of a flood']);
  log.flush();
  clock.ms = 1000;
  log.write('later');
  expect(lines.at(-1)).toBe('later');
  expect(lines).toHaveLength(202);
});

test('a flood hardly looks at the clock', () => {
  const { log, clock } = openLog();
  for (let count = 0; count < 200; count++) log.write('x');
  clock.looks = 0;
  for (let count = 0; count < 25_600; count++) log.write('x');
  expect(clock.looks).toBe(100);
});

test('cuts a line that is long, and counts characters', () => {
  const { log, lines } = openLog();
  for (let count = 0; count < 100; count++) log.write('x'.repeat(100_000));
  expect(lines[0]).toHaveLength(8 * 1024 + 1);
  expect(lines).toHaveLength(32);
});

test('writes whole characters only: none is cut in two, and half a one of the plugin is shown as such', () => {
  const { log, lines } = openLog();
  log.write(`${'x'.repeat(8 * 1024 - 1)}\u{1F600}`);
  log.write('half \ud83d of one');
  expect(lines).toEqual([`${'x'.repeat(8 * 1024 - 1)}…`, 'half \ufffd of one']);
});
