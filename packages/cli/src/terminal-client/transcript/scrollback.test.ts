import type { ToolpostEvent } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { renderLine } from '../draw/line.ts';
import { liveRows } from '../draw/live-rows.ts';
import { createTheme } from '../draw/theme.ts';
import { createScrollback } from './scrollback.ts';
import { createTranscript } from './transcript.ts';

const page = { theme: createTheme(1), width: 40, now: 0, isExpanded: false, outputRows: 8 };

function createShown() {
  const transcript = createTranscript();
  const scrollback = createScrollback('header');
  let seq = 0;
  return {
    transcript,
    take(body: object) {
      transcript.take({ ...body, sessionId: 's', seq: ++seq, at: seq } as ToolpostEvent);
      scrollback.advance(transcript.entries, page);
    },
    printed: () => scrollback.printed.map(({ text }) => text).join('\n'),
    live: (rows: number) => liveRows(scrollback, transcript.entries, { ...page, rows }).map(renderLine),
  };
}

test('a finished block of a text is printed once while the text goes on', () => {
  const shown = createShown();
  const text = (words: string) => shown.take({ type: 'text-delta', text: words });
  text('# One\n\ntwo ');
  expect([shown.printed(), shown.live(10)]).toEqual(['header\n\nOne', ['', 'two ']]);
  text('three\n\nfour');
  expect([shown.printed(), shown.live(10)]).toEqual(['header\n\nOne\n\ntwo three', ['', 'four']]);
  shown.take({ type: 'turn-end', text: '', reason: 'completed' });
  expect([shown.printed(), shown.live(10)]).toEqual(['header\n\nOne\n\ntwo three\n\nfour', []]);
});

test('a call that ended waits for those that began before it', () => {
  const shown = createShown();
  const call = (toolCallId: string) =>
    shown.take({ type: 'tool-call-start', toolCallId, name: toolCallId, plugin: 'p', arguments: '{}' });
  const end = (id: string) =>
    shown.take({
      ...{ type: 'tool-call-end', toolCallId: id, name: id, outcome: 'completed' },
      result: { id, name: id, plugin: 'p', outcome: 'completed', isError: false, text: '', content: [], durationMs: 1 },
    });
  call('a');
  call('b');
  end('b');
  expect(shown.printed()).toBe('header');
  end('a');
  expect(shown.printed()).toBe('header\n\n▸ a ✓ done\n▸ b ✓ done');
});

test('the live part is never higher than its rows: calls give up their output, then the top is left out', () => {
  const shown = createShown();
  for (const id of ['a', 'b', 'c']) {
    shown.take({ type: 'tool-call-start', toolCallId: id, name: id, plugin: 'p', arguments: '{}' });
    shown.take({ type: 'tool-output-delta', toolCallId: id, stream: 'stdout', text: 'x\n'.repeat(20) });
  }
  expect(shown.live(40)).toHaveLength(31);
  for (let rows = 1; rows < 30; rows++) expect(shown.live(rows).length).toBeLessThanOrEqual(rows);
  expect(shown.live(4).join('\n')).toMatch(/▸ a.*\n▸ b.*\n▸ c/);
});

test('another session is shown from its start, below what was printed', () => {
  const shown = createShown();
  shown.take({ type: 'turn-start', text: 'first' });
  shown.transcript.reset();
  shown.take({ type: 'turn-start', text: 'second' });
  expect(shown.printed()).toBe('header\n\n> first\n\n> second');
});
