import type { EventBody } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOutputRelay } from './output-relay.ts';
import { createRedactor, redactResult } from './redactor.ts';

/** Few letters, so that secrets begin within themselves and within one another. */
const secretText = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '😀'), minLength: 6, maxLength: 10 });
const secretList = fc.array(secretText, { minLength: 1, maxLength: 3 });

/** Texts that are full of secrets, of parts of them, and of both in JSON. */
function textWith(secrets: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(...secrets),
    fc.constantFrom(...secrets).map((secret) => JSON.stringify(secret)),
    fc.tuple(fc.constantFrom(...secrets), fc.nat(9)).map(([secret, length]) => secret.slice(0, length)),
    fc.string({ unit: fc.constantFrom('a', 'b', 'x', '😀', ' '), maxLength: 4 }),
  );
  return fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
}

function streamed(pieces: readonly string[], secrets: readonly string[]): string {
  const events: EventBody[] = [];
  const relay = createOutputRelay({
    toolCallId: 'c',
    redact: createRedactor(secrets),
    onEvent: (event) => void events.push(event),
  });
  for (const piece of pieces) relay.write('stdout', piece);
  relay.end();
  return events.map((event) => (event.type === 'tool-output-delta' ? event.text : '')).join('');
}

function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...cuts, text.length].map((end, index) => text.slice(index === 0 ? 0 : cuts[index - 1], end));
}

describe('redactor', () => {
  test('no secret is left in a text, plain or in JSON', () => {
    const scenario = secretList.chain((secrets) =>
      fc.record({ secrets: fc.constant(secrets), text: textWith(secrets) }),
    );
    fc.assert(
      fc.property(scenario, ({ secrets, text }) => {
        const clean = createRedactor(secrets)(text);
        for (const secret of secrets) {
          expect(clean).not.toContain(secret);
          expect(clean).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
    );
  });

  test('a stream is redacted as its whole text would be, however it is cut', () => {
    const scenario = secretList.chain((secrets) =>
      fc.record({
        secrets: fc.constant(secrets),
        text: textWith(secrets),
        places: fc.array(fc.nat(200), { maxLength: 8 }),
      }),
    );
    fc.assert(
      fc.property(scenario, ({ secrets, text, places }) => {
        expect(streamed(cutAt(text, places), secrets)).toBe(createRedactor(secrets)(text).toWellFormed());
      }),
      { numRuns: 1000 },
    );
  });

  test('two secrets that overlap leave no part of either', () => {
    const redact = createRedactor(['xyzabc', 'abcdef']);
    expect(redact('1 xyzabcdef 2')).toBe('1 [redacted] 2');
  });

  test('a secret within JSON within JSON is found, as a journal holds a model’s raw arguments', () => {
    const secret = 'pass"word\\1';
    const line = JSON.stringify({ arguments: JSON.stringify({ key: secret }) });
    const clean = createRedactor([secret])(line);
    expect(clean).toBe('{"arguments":"{\\"key\\":\\"[redacted]\\"}"}');
  });

  test('short values are left alone, and without secrets a result stays the same object', () => {
    const result = { content: [{ type: 'text' as const, text: 'abc' }], isError: false };
    expect(redactResult(result, createRedactor(['abc', '']))).toBe(result);
  });

  test('every text of a result is redacted: blocks, structure, metadata and their keys', () => {
    const redact = createRedactor(['sesame-street']);
    const result = redactResult(
      {
        content: [{ type: 'resource', resource: { uri: 'a:sesame-street', text: 'sesame-street' } }],
        structuredContent: { 'sesame-street': ['sesame-street'] },
        metadata: { deep: { er: 'x sesame-street' } },
        isError: false,
      },
      redact,
    );
    expect(JSON.stringify(result)).not.toContain('sesame');
  });
});

describe('output relay', () => {
  test('streams 1 MiB, then one marker, and nothing after it', () => {
    for (const pieces of [['x'.repeat(5_000_000)], Array.from({ length: 3000 }, () => 'y'.repeat(1000))]) {
      const text = streamed(pieces, []);
      const [kept = '', marker] = text.split('\n[');
      expect(kept).toHaveLength(1024 * 1024);
      expect(marker).toBe('the output is longer than 1 MiB: the rest is not streamed]\n');
    }
  });

  test('exactly 1 MiB is whole and has no marker', () => {
    expect(streamed(['z'.repeat(1024 * 1024)], [])).toBe('z'.repeat(1024 * 1024));
  });

  test('an emoji at the limit or between two pieces is never cut', () => {
    const long = streamed([`a${'😀'.repeat(600_000)}`], []);
    expect(long.isWellFormed()).toBe(true);
    expect(streamed(['\ud83d', '\ude00'], [])).toBe('😀');
  });

  test('keeps the two streams apart while text is held back', () => {
    const events: EventBody[] = [];
    const redact = createRedactor(['secret-1']);
    const relay = createOutputRelay({ toolCallId: 'c', redact, onEvent: (event) => void events.push(event) });
    relay.write('stdout', 'out secret');
    relay.write('stderr', 'err secret-1!');
    relay.write('stdout', '-2');
    relay.end();
    const of = (stream: string) =>
      events.map((event) => (event.type === 'tool-output-delta' && event.stream === stream ? event.text : '')).join('');
    expect(of('stdout')).toBe('out secret-2');
    expect(of('stderr')).toBe('err [redacted]!');
  });
});
