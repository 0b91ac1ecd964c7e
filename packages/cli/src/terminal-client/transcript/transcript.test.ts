import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import type { CallEntry } from './entries.ts';
import { createTranscript } from './transcript.ts';

function transcriptOf(...bodies: EventBody[]) {
  const transcript = createTranscript();
  for (const [at, body] of bodies.entries())
    transcript.take({ ...body, sessionId: 's', seq: at + 1, at: 1000 + at } as ToolpostEvent);
  return transcript;
}

const start = (toolCallId: string, rest: object = {}): EventBody => ({
  ...{ type: 'tool-call-start', toolCallId, name: toolCallId, plugin: 'p', arguments: '{}' },
  ...rest,
});
const prints = (toolCallId: string, text: string): EventBody => ({
  ...{ type: 'tool-output-delta', toolCallId, stream: 'stdout', text },
});
const ends = (toolCallId: string, metadata?: Record<string, unknown>): EventBody => ({
  ...{ type: 'tool-call-end', toolCallId, name: toolCallId, outcome: 'completed' },
  result: {
    ...{ id: toolCallId, name: toolCallId, plugin: 'p', outcome: 'completed', isError: false, text: '', content: [] },
    ...{ durationMs: 1, ...(metadata && { metadata }) },
  },
});
const callsOf = (transcript: ReturnType<typeof createTranscript>) =>
  transcript.entries.filter((entry): entry is CallEntry => entry.kind === 'call');
const texts = (call: CallEntry | undefined) => call?.output.lines().map(({ text }) => text);

test('what calls print that run together goes to each of them', () => {
  const [a, b] = callsOf(
    transcriptOf(start('a'), start('b'), prints('a', 'one\ntw'), prints('b', 'other\n'), prints('a', 'o\n')),
  );
  expect([texts(a), texts(b)]).toEqual([['one', 'two'], ['other']]);
});

test('an id that comes again after its end is another call, and what is late for it has no place', () => {
  const calls = callsOf(transcriptOf(start('a'), ends('a'), prints('a', 'late\n'), start('a')));
  expect(calls.map(({ state }) => state)).toEqual(['completed', 'running']);
  expect(calls.map(texts)).toEqual([[], []]);
});

test('a call that a person is asked about says so until the answer', () => {
  const asked: EventBody = {
    ...{
      type: 'approval-request',
      approvalId: 'q',
      toolCallId: 'a',
      plugin: 'p',
      name: 'a',
      arguments: '{}',
      reason: '',
    },
  };
  const answered: EventBody = { type: 'approval-end', approvalId: 'q', answer: 'once', by: 'terminal' };
  expect(callsOf(transcriptOf(start('a'), asked))[0]?.state).toBe('asking');
  expect(callsOf(transcriptOf(start('a'), asked, answered))[0]?.state).toBe('running');
});

test('what is open at the end of a turn is cancelled', () => {
  const transcript = transcriptOf({ type: 'turn-start', text: 'go' }, start('a'), {
    type: 'turn-end',
    text: '',
    reason: 'cancelled',
  });
  expect(callsOf(transcript)[0]?.state).toBe('cancelled');
  expect(transcript.turnStartedAt).toBeUndefined();
});

test('a text goes on until something else comes', () => {
  const { entries } = transcriptOf(
    { type: 'text-delta', text: 'one ' },
    { type: 'text-delta', text: 'two' },
    start('a'),
    { type: 'text-delta', text: 'three' },
  );
  expect(entries.flatMap((entry) => (entry.kind === 'text' ? [[entry.text, entry.isOpen]] : []))).toEqual([
    ['one two', false],
    ['three', true],
  ]);
});

test('the code of an interface is the newest, then that of the result, else that of the argument', () => {
  const ui = { mode: 'html', param: 'code', libs: [], surface: 'inline' as const };
  const delta = (code: string): EventBody => ({
    type: 'ui-delta',
    toolCallId: 'a',
    mode: 'html',
    libs: [],
    surface: 'inline',
    code,
  });
  const begun = start('a', { ui, arguments: '{"code":"whole"}' });
  const codeOf = (...bodies: EventBody[]) => callsOf(transcriptOf(...bodies))[0]?.ui?.code;
  expect(codeOf(delta('ha'), delta('half'))).toBe('half');
  expect(codeOf(delta('half'), begun, ends('a'))).toBe('whole');
  expect(codeOf(begun, ends('a', { ui_code: 'made' }))).toBe('made');
});
