import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { entryLines } from '../draw/entry.ts';
import { renderLine } from '../draw/line.ts';
import { createTheme } from '../draw/theme.ts';
import type { CallEntry } from './entries.ts';
import { createTranscript } from './transcript.ts';

function transcriptOf(...bodies: EventBody[]) {
  const transcript = createTranscript();
  for (const [at, body] of bodies.entries()) transcript.take(numbered(body, at + 1));
  return transcript;
}

function numbered(body: EventBody, seq = 99): ToolpostEvent {
  return { ...body, sessionId: 's', seq, at: 1000 + seq } as ToolpostEvent;
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

describe('an interface that was drawn', () => {
  const ui = { mode: 'html', param: 'code', libs: [], surface: 'inline' as const };
  const update = (code: string): EventBody => ({
    ...{ type: 'ui-update', toolCallId: 'a', mode: 'html', libs: [], surface: 'inline', code },
  });

  test('is what it was changed to, and another entry, so that nothing shows the one before', () => {
    const transcript = transcriptOf(start('a', { ui }), ends('a', { ui_code: 'none' }));
    const [before] = callsOf(transcript);
    transcript.take(numbered(update('3 votes')), { isFormer: true });
    const [after] = callsOf(transcript);
    expect(after?.ui?.code).toBe('3 votes');
    expect(after).not.toBe(before);
    expect(transcript.entries).toHaveLength(1);
  });

  test('says once that it has changed where it stands on the screen already', () => {
    const { entries } = transcriptOf(start('a', { ui }), ends('a', { ui_code: '0' }), update('1'), update('2'));
    expect(entries.slice(1)).toEqual([{ kind: 'note', tone: 'info', text: 'a has changed what it drew (ctrl-o)' }]);
  });
});

describe('an action of an interface', () => {
  const action = (actionId: string, rest: object = {}): EventBody => ({
    ...{ type: 'ui-action', actionId, toolCallId: 'a', plugin: 'poll', action: 'vote', data: { tea: 1 } },
    ...rest,
  });
  const states = ({ entries }: ReturnType<typeof transcriptOf>) =>
    entries.flatMap((entry) => (entry.kind === 'action' ? [`${entry.number} ${entry.state}`] : []));

  test('waits until it is sent on as a turn', () => {
    const transcript = transcriptOf(action('one'), action('two'));
    expect(transcript.waitingActions().map(({ actionId }) => actionId)).toEqual(['one', 'two']);
    const uiAction = { actionId: 'two', toolCallId: 'a', plugin: 'poll', action: 'vote' };
    transcript.take(numbered({ type: 'turn-start', text: 'told', uiAction }));
    expect(states(transcript)).toEqual(['1 waiting', '2 sent']);
    expect(transcript.waitingActions().map(({ actionId }) => actionId)).toEqual(['one']);
  });

  test('that went into the turn which ran needs nothing more, and that is said', () => {
    const transcript = transcriptOf(action('one'), action('one', { isNote: true }), action('two', { isNote: true }));
    expect(states(transcript)).toEqual(['1 told', '2 told']);
    expect(transcript.entries.filter(({ kind }) => kind === 'note')).toHaveLength(1);
  });

  test('is one row however much goes with it, and whole where everything is shown', () => {
    const [entry] = transcriptOf(action('one', { data: { text: `${'q'.repeat(60_000)}\u001b[2J` } })).entries;
    if (!entry) throw new Error('there is no entry');
    const page = { theme: createTheme(1), width: 80, now: 0, isExpanded: false, outputRows: 0 };
    const rows = entryLines(entry, page).map(renderLine);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/^▸ vote from an interface of poll \{"text":"q+… ○ waits for you: \/send 1$/);
    const all = entryLines(entry, { ...page, isExpanded: true })
      .map(renderLine)
      .join('');
    expect(all.match(/q/g)).toHaveLength(60_000);
    expect(all).not.toContain('\u001b');
  });
});
