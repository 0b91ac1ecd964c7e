import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSseLines } from './sse-lines.ts';
import { createSseParser, type SentEvent } from './sse-parser.ts';

/** Reads a stream that comes in pieces of these sizes. */
function read(text: string, sizes: readonly number[] = []): SentEvent[] {
  const events: SentEvent[] = [];
  const take = createSseLines(createSseParser((event) => void events.push(event)));
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  for (const size of sizes) {
    take(bytes.subarray(at, at + size));
    at += size;
  }
  take(bytes.subarray(at));
  return events;
}

test('reads events with names, ids and data over lines, and passes over comments', () => {
  const text = ':\n\nid: e:1\ndata: {"a":1}\n\n: note\nevent: reset\ndata:x\ndata:  y\n\ndata\n\nretry: 5\n\n';
  expect(read(text)).toEqual([
    { name: 'message', id: 'e:1', data: '{"a":1}' },
    { name: 'reset', id: undefined, data: 'x\n y' },
    { name: 'message', id: undefined, data: '' },
  ]);
});

test('ends lines at LF, CRLF and CR, also where CR and LF come apart', () => {
  const expected = [{ name: 'message', id: undefined, data: 'a' }];
  for (const end of ['\n', '\r\n', '\r']) expect(read(`data: a${end}${end}`)).toEqual(expected);
  for (let cut = 1; cut < 11; cut++) expect(read('data: a\r\n\r\n', [cut]), `cut at ${cut}`).toEqual(expected);
});

test('drops an event that was cut before its empty line', () => {
  expect(read('data: a\n\ndata: b\n')).toEqual([{ name: 'message', id: undefined, data: 'a' }]);
});

test('whatever is sent comes back, however it is cut', () => {
  const event = fc.record({ id: fc.string({ unit: fc.constantFrom('a', ':', '7') }), value: fc.jsonValue() });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), fc.array(fc.nat(9)), (events, sizes) => {
      const text = events.map(({ id, value }) => `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`).join('');
      expect(read(text, sizes)).toEqual(
        events.map(({ id, value }) => ({ name: 'message', id, data: JSON.stringify(value) })),
      );
    }),
  );
});
