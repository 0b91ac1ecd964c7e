import type { CallRecord } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallDisplay } from './call-display.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  let screen = '';
  const { onEvent, end } = createCallDisplay((text) => {
    screen += text;
  });
  return {
    screen: () => screen,
    output: (text: string) => onEvent({ type: 'tool-output-delta', toolCallId: 'c', stream: 'stdout', text }),
    progress: (progress: number) => onEvent({ type: 'tool-progress', toolCallId: 'c', progress, total: 9 }),
    end(text: string) {
      const record = {
        id: 'c',
        name: 't',
        plugin: 'p',
        outcome: 'completed',
        isError: false,
        content: [],
        durationMs: 1,
      };
      end({ ...record, text } as CallRecord);
    },
  };
}

test('a short call shows nothing that its result says too, and no progress', () => {
  const call = watch();
  call.output('one\ntwo');
  call.progress(1);
  call.end('one\ntwo\n');
  vi.runAllTimers();
  expect(call.screen()).toBe('');
});

test('a short call shows what its result does not say', () => {
  const call = watch();
  call.output('a warning\n');
  call.end('done');
  expect(call.screen()).toBe('  a warning\n');
});

test('after a second a person sees the call go on, line by line', () => {
  const call = watch();
  call.output('one\n');
  vi.advanceTimersByTime(999);
  expect(call.screen()).toBe('');
  vi.advanceTimersByTime(1);
  expect(call.screen()).toBe('  one\n');
  call.output('two\nthr');
  call.progress(3);
  call.end('one\ntwo\nthr');
  expect(call.screen()).toBe('  one\n  two\n  … 3/9\n  thr\n');
});
