import { expect, test } from 'vitest';
import { describeStray } from './survive-plugin-errors.ts';

const own = '/opt/toolpost/dist/';
const ours = ['    at async file:///opt/toolpost/dist/call.js:67:18', '    at node:internal/timers:5:1'];

test("a plugin's error is shown with the frames of the plugin alone", () => {
  const frame = '    at Object.execute (file:///home/ann/my%20tools/slow.ts:8:146)';
  expect(describeStray(['Error: a bug', frame, ...ours].join('\n'), own)).toEqual({
    isOfPlugin: true,
    detail: `Error: a bug\n${frame}`,
  });
});

test('an error that leads through our code alone is shown whole', () => {
  const stack = ['AbortError: cancelled', ...ours].join('\n');
  expect(describeStray(stack, own)).toEqual({ isOfPlugin: false, detail: stack });
});
