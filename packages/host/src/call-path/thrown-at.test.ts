import { expect, test } from 'vitest';
import { thrownAt } from './thrown-at.ts';

function thrown(...frames: string[]): Error {
  const error = new Error('a bug');
  error.stack = ['Error: a bug', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const ours = `async execute (${import.meta.url}:1:1)`;
const package_ = 'parse (/home/ann/tools/node_modules/x/index.js:3:4)';
const tool = 'Object.execute (file:///home/ann/my%20tools/slow.ts:8:146)';

test('names the place in the files of the tool, and keeps the frames that are not ours', () => {
  expect(thrownAt(thrown(package_, tool, ours, 'node:internal/timers:5:1'))).toEqual({
    place: '/home/ann/my tools/slow.ts:8',
    stack: `Error: a bug\n    at ${package_}\n    at ${tool}`,
  });
});

test('names a package where nothing else is left, and nothing for what we threw or what is no error', () => {
  expect(thrownAt(thrown(package_, ours))?.place).toBe('/home/ann/tools/node_modules/x/index.js:3');
  expect(thrownAt(thrown(ours))).toBeUndefined();
  expect(thrownAt('a text')).toBeUndefined();
});
