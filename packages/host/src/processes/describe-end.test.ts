import { expect, it } from 'vitest';
import { describeEnd } from './describe-end.ts';

const ended = {
  pluginId: 'greeter',
  commandLine: 'python3 main.py',
  exit: { code: 1, signal: null },
  stderrLines: [] as string[],
  logPath: '/home/logs/greeter.log',
};

it('gives status, command and log', () => {
  expect(describeEnd(ended)).toBe(
    [
      'The plugin greeter exited with status 1.',
      'Command: python3 main.py',
      'Its whole log is in /home/logs/greeter.log; the next call starts it again.',
    ].join('\n'),
  );
});

it.each([
  [{ stderrLines: ["ModuleNotFoundError: No module named 'requests'"] }, 'Install the Python module requests'],
  [{ stderrLines: ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad'"] }, 'Install left-pad'],
  [{ exit: { code: 127, signal: null } }, 'a program was not found'],
  [{ exit: { code: null, signal: 'SIGKILL' as const } }, 'a system that runs out of memory does that'],
  [{ exit: undefined }, 'closed its standard input or output'],
])('says what to do about %j', (change, hint) => {
  expect(describeEnd({ ...ended, ...change })).toContain(hint);
});

it('quotes the last words before the command', () => {
  expect(describeEnd({ ...ended, stderrLines: ['one', 'two'] })).toContain('stderr:\n  one\n  two\nCommand:');
});
