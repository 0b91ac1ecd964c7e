import {
  BLOCK_TEXT_MARK,
  type CallRecord,
  type ContentBlock,
  type EventBody,
  type ToolpostEvent,
} from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { createTranscript } from '../transcript/transcript.ts';
import type { CallPage } from './call.ts';
import { entryLines } from './entry.ts';
import { renderLine } from './line.ts';
import { createTheme } from './theme.ts';

type Result = Pick<CallRecord, 'outcome' | 'text' | 'content'> & Partial<CallRecord>;

interface Scene {
  /** What the call prints. */
  readonly printed?: string;
  /** What its tool says that it draws. */
  readonly ui?: Extract<EventBody, { type: 'tool-call-start' }>['ui'];
  /** What its heading says beside its name. */
  readonly displayArg?: string;
  readonly page?: Partial<CallPage>;
}

const PAGE = { theme: createTheme(1), width: 60, now: 0, isExpanded: false, outputRows: 8 };

/** The rows below the heading of a call that came to `result`; of one that still runs without it. */
function rowsOf(result: Result | undefined, { printed = '', ui, displayArg, page }: Scene = {}): string[] {
  const transcript = createTranscript();
  const call = { toolCallId: 'c', name: 'c', plugin: 'p' };
  const bodies = [
    { type: 'tool-call-start', ...call, arguments: '{}', ...(ui && { ui }), ...(displayArg && { displayArg }) },
    ...(printed === '' ? [] : [{ type: 'tool-output-delta', ...call, stream: 'stdout', text: printed }]),
    ...(result
      ? [
          {
            ...{ type: 'tool-call-end', ...call, outcome: result.outcome },
            result: { id: 'c', ...call, isError: result.outcome !== 'completed', durationMs: 1, ...result },
          },
        ]
      : []),
  ];
  for (const body of bodies) transcript.take({ ...body, sessionId: 's', seq: 1, at: 1 } as ToolpostEvent);
  const shown = { ...PAGE, ...page };
  return transcript.entries.flatMap((entry) => entryLines(entry, shown).map(renderLine)).slice(1);
}

const said = (text: string, rest: Partial<Result> = {}): Result => ({
  ...{ outcome: 'completed', text, content: [{ type: 'text', text }] },
  ...rest,
});
const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at + 1}\n`).join('');
const expanded = { page: { isExpanded: true } };

test('what a tool says beside its blocks stands above them, their text form does not', () => {
  const blocks = [{ type: 'table', columns: [{ label: 'city' }], rows: [['Oslo']] }];
  const content = [
    { type: 'text' as const, text: 'One city was found.' },
    { type: 'text' as const, text: '| city |', _meta: { [BLOCK_TEXT_MARK]: true } },
  ];
  expect(rowsOf(said('One city was found.\n| city |', { content, metadata: { blocks } }))).toEqual([
    '   │ One city was found.',
    '    city',
    '    ────',
    '    Oslo',
  ]);
});

test('of several blocks each has its share, and says how much of it is not shown', () => {
  const table = (label: string) => ({ type: 'table', columns: [{ label }], rows: Array(50).fill(['x']) });
  const content = [{ type: 'text' as const, text: '| city |', _meta: { [BLOCK_TEXT_MARK]: true } }];
  const result = said('| city |', { content, metadata: { blocks: [table('one'), table('two')] } });
  const shown = rowsOf(result);
  expect(shown.filter((row) => row === '    … 41 more rows (ctrl-o)')).toHaveLength(2);
  expect(shown.filter((row) => row.trim() === 'x')).toHaveLength(18);
  expect(rowsOf(result, expanded).filter((row) => row.trim() === 'x')).toHaveLength(100);
});

describe('what a call draws', () => {
  const ui = { mode: 'genui', param: 'code', libs: [], surface: 'inline' as const };
  const code = 'export default function App() {}';
  const place = '    drawn in the browser: toolpost serve';

  test('stands there as the words of the result and where it is drawn; the code only where there are none', () => {
    const metadata = { ui_code: code };
    expect(rowsOf(said('Votes: tea 3', { metadata }), { ui })).toEqual(['   │ Votes: tea 3', place]);
    expect(rowsOf(said('', { metadata, content: [] }), { ui })).toEqual([`    ${code}`, place]);
  });

  test('is whole, with its code, where everything is shown', () => {
    const result = said('Votes: tea 3', { metadata: { ui_code: code } });
    expect(rowsOf(result, { ui, ...expanded })).toEqual(['   │ Votes: tea 3', `    ${code}`, place]);
  });

  test('keeps its link below what is folded', () => {
    const markdown = Array.from({ length: 60 }, (_, at) => `- item ${at}`).join('\n');
    const result = said('', { content: [], metadata: { ui_code: markdown } });
    const shown = rowsOf(result, { ui: { ...ui, mode: 'markdown' }, page: { pageUrl: 'http://127.0.0.1:1/#/s' } });
    expect(shown.slice(-2)).toEqual(['    … 36 more rows (ctrl-o)', '    drawn at http://127.0.0.1:1/#/s']);
  });

  test('is shown also where its tool says nothing of it', () => {
    expect(rowsOf(said('Votes: tea 3', { metadata: { ui_code: '<p>tea</p>' } }))).toEqual(['   │ Votes: tea 3', place]);
  });

  test('does not count where the call failed', () => {
    const result = said('no votes', { outcome: 'failed', metadata: { ui_code: code } });
    expect(rowsOf(result, { ui })).toEqual(['   │ no votes']);
  });
});

test('pictures, sounds, files and links are a row each', () => {
  const content: ContentBlock[] = [
    { type: 'text', text: 'made' },
    { type: 'image', data: Buffer.alloc(24 * 1024).toString('base64'), mimeType: 'image/png' },
    { type: 'audio', data: Buffer.alloc(2).toString('base64'), mimeType: 'audio/mpeg' },
    { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
    { type: 'resource_link', uri: 'https://evil.example/x', name: 'bank.example', mimeType: 'text/html' },
  ];
  const shown = [
    '   │ made',
    '   │ [picture: image/png, 24 KB]',
    '   │ [sound: audio/mpeg, 2 bytes]',
    '   │ [file: file:///a.txt, text/plain, 6 bytes]',
    '   │ [link: bank.example (evil.example), text/html]',
  ];
  expect(rowsOf(said('made', { content }))).toEqual(shown);
  expect(rowsOf(said('made', { content }), expanded)).toEqual(shown.toSpliced(4, 0, '   │ inside'));
});

test('a cancelled call shows the end of what it printed, and says how much stands above', () => {
  const cut: Result = { outcome: 'cancelled', text: 'The call was cancelled.', content: [] };
  expect(rowsOf(cut, { printed: rows(5) })).toEqual([1, 2, 3, 4, 5].map((n) => `   │ row ${n}`));
  expect(rowsOf(cut, { printed: rows(9) })).toEqual([
    '   │ … 5 rows above (ctrl-o)',
    ...[6, 7, 8, 9].map((n) => `   │ row ${n}`),
  ]);
});

test('an argument that the heading has no room for is whole where everything is shown', () => {
  const command = `echo ${'x'.repeat(90)}\necho done`;
  const scene = { displayArg: command };
  expect(rowsOf(said('ok'), scene)).toEqual(['   │ ok']);
  const all = rowsOf(said('ok'), { ...scene, ...expanded });
  expect(all.at(-2)).toBe('     echo done');
  expect(all.join('').match(/x/g)).toHaveLength(90);
  expect(rowsOf(said('ok'), { displayArg: 'echo done', ...expanded })).toEqual(['   │ ok']);
});

test('how much of what was printed is not kept is said while it runs, when it was cut off, and where all is shown', () => {
  const printed = rows(10_000);
  const cut: Result = { outcome: 'timed-out', text: 'It took too long.', content: [] };
  expect(rowsOf(undefined, { printed })[0]).toBe('   │ … 9,992 rows above (ctrl-o)');
  expect(rowsOf({ ...cut, outcome: 'cancelled' }, { printed })[0]).toBe('   │ … 9,996 rows above (ctrl-o)');
  const all = rowsOf(cut, { printed, ...expanded });
  const [, dropped = ''] = /^ {3}│ … ([\d,]+) rows above \(not kept here\)$/.exec(all[0] ?? '') ?? [];
  expect(Number(dropped.replace(',', '')) + all.filter((line) => line.includes('row ')).length).toBe(10_000);
});
