import type { CallRecord, EventBody, Outcome } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { createTurnRenderer } from './render-turn.ts';

function render(...events: EventBody[]): string {
  let screen = '';
  const write = (text: string) => {
    screen += text;
  };
  const show = createTurnRenderer({ answer: write, aside: write });
  for (const event of events) show(event);
  return screen;
}

const start = (toolCallId: string, name = toolCallId): EventBody => ({
  type: 'tool-call-start',
  toolCallId,
  name,
  plugin: 'p',
  arguments: '{}',
});
const output = (toolCallId: string, text: string): EventBody => ({
  type: 'tool-output-delta',
  toolCallId,
  stream: 'stdout',
  text,
});

function end(id: string, text: string, outcome: Outcome = 'completed'): EventBody {
  const result: CallRecord = {
    id,
    name: id,
    plugin: 'p',
    outcome,
    isError: false,
    content: [],
    text,
    durationMs: 5,
  };
  return { type: 'tool-call-end', toolCallId: id, name: id, outcome, result };
}

test('what a call streams is shown as it comes, indented, on lines of its own', () => {
  const screen = render(
    { type: 'text-delta', text: 'I look' },
    start('build'),
    output('build', 'one\ntw'),
    output('build', 'o\n'),
    { type: 'tool-progress', toolCallId: 'build', progress: 1, total: 2 },
    end('build', 'built'),
  );
  expect(screen).toBe('I look\n▸ build\n    one\n    two\n    … 1/2\n  ✓ build completed in 5 ms\n    built\n');
});

test('a result that was streamed is not shown twice', () => {
  expect(render(start('bash'), output('bash', 'one\ntwo'), end('bash', 'one\ntwo\n'))).toBe(
    '▸ bash\n    one\n    two\n  ✓ bash completed in 5 ms\n',
  );
});

test('lines of calls that run together say whose they are', () => {
  const screen = render(
    start('a'),
    start('b'),
    output('a', 'x\n'),
    output('b', 'y\n'),
    end('a', ''),
    output('b', 'z\n'),
  );
  expect(screen).toContain('    a │ x\n    b │ y\n  ✓ a completed in 5 ms\n    z\n');
});

test('no text of a plugin drives the terminal or looks like a line of ours', () => {
  const screen = render(
    start('evil'),
    output('evil', '\u001b[2J\r  ✓ bash completed\n'),
    end('evil', 'a\u001b]0;t\u0007b'),
  );
  expect(screen).toBe('▸ evil\n      ✓ bash completed\n  ✓ evil completed in 5 ms\n    ab\n');
});
