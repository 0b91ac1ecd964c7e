import { BLOCK_TEXT_MARK, type CallRecord, type ToolpostEvent } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { createTranscript } from '../transcript/transcript.ts';
import { entryLines } from './entry.ts';
import { renderLine } from './line.ts';
import { createTheme } from './theme.ts';

type Result = Pick<CallRecord, 'outcome' | 'text' | 'content'> & Partial<CallRecord>;

/** The rows below the heading of a call that printed `printed` and came to `result`. */
function rowsOf(result: Result, printed = ''): string[] {
  const transcript = createTranscript();
  const call = { toolCallId: 'c', name: 'c', plugin: 'p' };
  const bodies = [
    { type: 'tool-call-start', ...call, arguments: '{}' },
    ...(printed === '' ? [] : [{ type: 'tool-output-delta', ...call, stream: 'stdout', text: printed }]),
    {
      ...{ type: 'tool-call-end', ...call, outcome: result.outcome },
      result: { id: 'c', name: 'c', plugin: 'p', isError: result.outcome !== 'completed', durationMs: 1, ...result },
    },
  ];
  for (const body of bodies) transcript.take({ ...body, sessionId: 's', seq: 1, at: 1 } as ToolpostEvent);
  const page = { theme: createTheme(1), width: 60, now: 0, isExpanded: false, outputRows: 0 };
  return transcript.entries.flatMap((entry) => entryLines(entry, page).map(renderLine)).slice(1);
}

test('what a tool says beside its blocks stands above them, their text form does not', () => {
  const blocks = [{ type: 'table', columns: [{ label: 'city' }], rows: [['Oslo']] }];
  const content = [
    { type: 'text' as const, text: 'One city was found.' },
    { type: 'text' as const, text: '| city |', _meta: { [BLOCK_TEXT_MARK]: true } },
  ];
  const text = 'One city was found.\n| city |';
  expect(rowsOf({ outcome: 'completed', text, content, metadata: { blocks } })).toEqual([
    '   │ One city was found.',
    '    city',
    '    ────',
    '    Oslo',
  ]);
});

test('a cancelled call shows the end of what it printed, and says how much stands above', () => {
  const cut = { outcome: 'cancelled' as const, text: 'The call was cancelled.', content: [] };
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `row ${at + 1}\n`).join('');
  expect(rowsOf(cut, lines(5))).toEqual([1, 2, 3, 4, 5].map((n) => `   │ row ${n}`));
  expect(rowsOf(cut, lines(9))).toEqual(['   │ … 5 rows above (ctrl-o)', ...[6, 7, 8, 9].map((n) => `   │ row ${n}`)]);
});
