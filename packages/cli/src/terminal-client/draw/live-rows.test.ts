import { expect, it } from 'vitest';
import { createScrollback } from '../transcript/scrollback.ts';
import { createTranscript } from '../transcript/transcript.ts';
import { renderLine } from './line.ts';
import { liveRows } from './live-rows.ts';
import { createTheme } from './theme.ts';

const page = { theme: createTheme(1), width: 60, now: 0, isExpanded: false, outputRows: 0, rows: 10 };

function rowsWith(calls: number): string[] {
  const transcript = createTranscript();
  const told = { seq: 1, at: 0, sessionId: 's', turnId: 't', v: 1 } as const;
  for (let at = 0; at < calls; at++) {
    const toolCallId = `call-${at}`;
    transcript.take({ ...told, type: 'tool-call-start', toolCallId, name: `tool${at}`, plugin: 'p', arguments: '{}' });
    for (const text of ['one\n', 'two\n', 'three\n'])
      transcript.take({ ...told, type: 'tool-output-delta', toolCallId, stream: 'stdout', text });
  }
  return liveRows(createScrollback(''), transcript.entries, page).map(renderLine);
}

it('gives up what calls print before it gives up calls', () => {
  expect(rowsWith(2).filter((row) => row.includes('│'))).toHaveLength(6);
  expect(rowsWith(4).filter((row) => row.includes('│ three'))).toHaveLength(4);
  const many = rowsWith(8);
  expect(many.filter((row) => row.startsWith('▸'))).toHaveLength(8);
  expect(many.some((row) => row.includes('│'))).toBe(false);
});

it('shows the last of more calls than there are rows, and says how many rows there are above', () => {
  const rows = rowsWith(100);
  expect(rows).toHaveLength(10);
  expect(rows[0]).toMatch(/^… 9\d rows above/);
  expect(rows.at(-1)).toMatch(/^▸ tool99 /);
});
