import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCallAnswer, readTextAnswer } from './call-answer.ts';

describe('encodeCallAnswer', () => {
  const text = { content: [{ type: 'text' as const, text: 'é' }], isError: false };

  it('writes one text as text', () => {
    expect(encodeCallAnswer('7', text)).toBe('{"id":"7","result":"é"}');
  });

  it('keeps blocks, the error flag, structured content and metadata together', () => {
    const result = { ...text, isError: true, structuredContent: { code: 404 }, metadata: { kind: 'k' } };
    expect(JSON.parse(encodeCallAnswer('7', result))).toEqual({ id: '7', result });
    const annotated = { content: [{ type: 'text' as const, text: 'x', annotations: { priority: 1 } }], isError: false };
    expect(JSON.parse(encodeCallAnswer(7, annotated))).toEqual({ id: 7, result: annotated });
  });

  it('writes text alone where there is no id', () => {
    const blocks = [...text.content, { type: 'text' as const, text: 'b' }];
    expect(encodeCallAnswer(undefined, { content: blocks, isError: false })).toBe('{"result":"é\\nb"}');
    expect(encodeCallAnswer(undefined, { ...text, isError: true })).toBe('{"error":"é"}');
  });
});

describe('readTextAnswer', () => {
  it('reads back each text that is written', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ unit: 'binary' }), (number, text) => {
        const line = encodeCallAnswer(String(number), { content: [{ type: 'text', text }], isError: false });
        expect(readTextAnswer(line)).toEqual({ id: String(number), text });
      }),
    );
  });

  it.each([
    '{"id":"7","error":"x"}',
    '{"id":7,"result":"x"}',
    '{"id":"7","result":{"a":"b"}}',
    '{"id":"7","result":"x","error":"y"}',
    '{"id":"7","result":"x","result":"y"}',
    '{"id":"\\u0037","result":"x"}',
    '{"id":"7","result":"cut\\"}',
    '{"id":"7","result":"a\tb"}',
    '{"id":"7","result":"}',
    '{"id":"7","result":"x"} "}',
    '{"id":"7',
    '{"result":"x"}',
    ' {"id":"7","result":"x"}',
  ])('leaves %s to be parsed as a whole', (line) => {
    expect(readTextAnswer(line)).toBeUndefined();
  });
});
