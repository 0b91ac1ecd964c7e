import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, type LineSplitterOptions } from './line-splitter.ts';

const encoder = new TextEncoder();

interface Seen {
  lines: string[];
  overlong: string[];
}

function split(chunks: readonly Uint8Array[], options: Partial<LineSplitterOptions> = {}): Seen {
  const seen: Seen = { lines: [], overlong: [] };
  const splitter = createLineSplitter({
    onLine: (text) => seen.lines.push(text),
    onOverlongLine: (_bytes, head) => seen.overlong.push(head),
    ...options,
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

/** The same, written plainly: cut at LF, decode each line on its own. */
function splitPlainly(bytes: Uint8Array, maxLineBytes: number): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lines: string[] = [];
  let start = 0;
  for (let end = 0; end <= bytes.length; end++) {
    if (end < bytes.length && bytes[end] !== 0x0a) continue;
    const line = bytes.subarray(start, end);
    let text = decoder.decode(line).replace(/\r$/, '');
    if (start === 0) text = text.replace(/^\ufeff/, '');
    if (line.length <= maxLineBytes && text.trim() !== '') lines.push(text);
    start = end + 1;
  }
  return lines;
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

const interestingBytes = fc.array(
  fc.oneof(
    fc.constantFrom(0x0a, 0x0d, 0x20, 0x7b, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0x98, 0x80),
    fc.integer({ min: 0, max: 255 }),
  ),
  { maxLength: 200 },
);

describe('createLineSplitter', () => {
  it('gives the same lines however the stream is cut', () => {
    fc.assert(
      fc.property(
        interestingBytes,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        (raw, cuts, max) => {
          const bytes = Uint8Array.from(raw);
          const expected = splitPlainly(bytes, max);
          const whole = split([bytes], { maxLineBytes: max });
          const cut = split(cutAt(bytes, cuts), { maxLineBytes: max });
          expect(whole.lines).toEqual(expected);
          expect(cut.lines).toEqual(expected);
          expect(cut.overlong.length).toBe(whole.overlong.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives the same lines with the decoder of Buffer', () => {
    const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
    fc.assert(
      fc.property(interestingBytes, (raw) => {
        const bytes = Uint8Array.from(raw);
        expect(split([bytes], { decode }).lines).toEqual(split([bytes]).lines);
      }),
    );
  });

  it('keeps a character whole that comes a byte at a time', () => {
    const bytes = encoder.encode('{"a":"😀"}\n');
    expect(split([...bytes].map((byte) => Uint8Array.of(byte))).lines).toEqual(['{"a":"😀"}']);
  });

  it('strips CR and a byte order mark before the first line, and skips blank lines', () => {
    expect(split([encoder.encode('\ufeff{"a":1}\r\n\r\n \t\n{"b":2}\r\n\ufeffx\n')]).lines).toEqual([
      '{"a":1}',
      '{"b":2}',
      '\ufeffx',
    ]);
  });

  it('delivers a last line without LF at the end only', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter({ onLine: (text) => lines.push(text), onOverlongLine: () => {} });
    splitter.push(encoder.encode('one\ntwo'));
    expect(lines).toEqual(['one']);
    splitter.end();
    expect(lines).toEqual(['one', 'two']);
  });

  it('reports an overlong line once, before its end has come, and goes on behind it', () => {
    const reports: { bytes: number; head: string }[] = [];
    const lines: string[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 10,
      onLine: (text) => lines.push(text),
      onOverlongLine: (bytes, head) => reports.push({ bytes, head }),
    });
    splitter.push(encoder.encode('ok\n0123456'));
    splitter.push(encoder.encode('789abc'));
    expect(reports).toEqual([{ bytes: 13, head: '0123456789abc' }]);
    splitter.push(encoder.encode('defg'));
    splitter.push(encoder.encode('hij\nnext\n'));
    expect(reports).toHaveLength(1);
    expect(lines).toEqual(['ok', 'next']);
  });

  it('takes a 16 MiB line in tiny chunks in linear time', () => {
    const chunk = encoder.encode('x'.repeat(16));
    const chunks = Array.from({ length: 1024 * 1024 }, () => chunk);
    const started = performance.now();
    const { lines, overlong } = split(chunks);
    expect(overlong).toEqual([]);
    expect(lines[0]?.length).toBe(16 * 1024 * 1024);
    // A quadratic splitter needs minutes for this.
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('does not grow while it drops', () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    const before = process.memoryUsage().arrayBuffers;
    let reports = 0;
    const splitter = createLineSplitter({ onLine: () => {}, onOverlongLine: () => reports++ });
    for (let index = 0; index < 300; index++) splitter.push(chunk);
    expect(reports).toBe(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  });
});
