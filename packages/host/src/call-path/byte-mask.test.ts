import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createByteMasks } from './byte-mask.ts';

function through(secrets: readonly string[], chunks: readonly Uint8Array[]): Buffer {
  const mask = createByteMasks(() => secrets)();
  return Buffer.concat([...chunks.map((chunk) => mask.push(chunk)), mask.end()]);
}

describe('byte mask', () => {
  test('masks a secret wherever it is cut, also inside a character', () => {
    const text = Buffer.from('key=schlüssel-😀-1 ok\n');
    for (let cut = 0; cut <= text.length; cut++) {
      const clean = through(['schlüssel-😀-1'], [text.subarray(0, cut), text.subarray(cut)]);
      expect(clean.toString()).toBe('key=[redacted] ok\n');
    }
  });

  test('bytes without a secret come out as they went in, text or not', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }), (chunks) => {
        expect(through(['a secret of bytes'], chunks)).toEqual(Buffer.concat(chunks));
        expect(through([], chunks)).toEqual(Buffer.concat(chunks));
      }),
    );
  });

  test('holds back no more than what may be the start of a secret', () => {
    const mask = createByteMasks(() => ['secret-1'])();
    expect(Buffer.from(mask.push(Buffer.from('a line\n'))).toString()).toBe('a line\n');
    expect(Buffer.from(mask.push(Buffer.from('a sec'))).toString()).toBe('a ');
    expect(Buffer.from(mask.push(Buffer.from('ond one'))).toString()).toBe('second one');
  });
});
