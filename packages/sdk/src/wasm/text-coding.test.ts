import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuestTextDecoder, GuestTextEncoder } from './text-coding.ts';

const anyText = fc.string({ unit: 'binary' });

describe('UTF-8 in a component', () => {
  it('is encoded as Node encodes it, lone surrogates too', () => {
    const lone = fc.constantFrom('\ud800', '\udfff', 'a\ud83d', '\ude00b');
    fc.assert(
      fc.property(fc.oneof(anyText, lone), (text) => {
        expect(new GuestTextEncoder().encode(text)).toEqual(new TextEncoder().encode(text));
      }),
    );
  });

  it('is decoded as Node decodes it, whatever the bytes are', () => {
    // Bytes near the borders of UTF-8's rules are what goes wrong.
    const border = fc.constantFrom(
      0,
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc0,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
      0xff,
    );
    const bytes = fc.array(fc.oneof(border, fc.integer({ min: 0, max: 255 })), { maxLength: 12 });
    fc.assert(
      fc.property(bytes, (list) => {
        const given = Uint8Array.from(list);
        expect(new GuestTextDecoder().decode(given)).toBe(new TextDecoder().decode(given));
      }),
      { numRuns: 2000 },
    );
  });

  it('is decoded the same in pieces', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 4 }), (text, size) => {
        const bytes = new TextEncoder().encode(text);
        const [ours, theirs] = [new GuestTextDecoder(), new TextDecoder()];
        for (let at = 0; at < bytes.length; at += size) {
          const piece = bytes.subarray(at, at + size);
          expect(ours.decode(piece, { stream: true })).toBe(theirs.decode(piece, { stream: true }));
        }
        expect(ours.decode()).toBe(theirs.decode());
      }),
    );
  });

  it('is refused when it is broken and the decoder is fatal, and in another encoding', () => {
    expect(() => new GuestTextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xff))).toThrow(TypeError);
    expect(() => new GuestTextDecoder('latin1')).toThrow('decodes UTF-8, not latin1');
  });
});
