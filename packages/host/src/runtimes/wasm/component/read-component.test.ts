import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedComponent } from './byte-reader.ts';
import { readComponent } from './read-component.ts';

const NESTED = `(component
  (import "host:clock/now" (instance $clock (export "now" (func (result u64)))))
  (type $point (record (field "x" f64) (field "label" (option string))))
  (export $exported "point" (type $point))
  (component $inner
    (type $color (enum "red" "green"))
    (import "color" (type $imported (eq $color)))
    (import "paint" (func $paint (param "c" $imported)))
    (export "paint" (func $paint))
  )
  (core module $m (func (export "f") (param i32)) (func (export "g") (result i64) i64.const 1))
  (core instance $i (instantiate $m))
  (type $color (enum "red" "green"))
  (func $paint (param "c" $color) (canon lift (core func $i "f")))
  (func $count (result u64) (canon lift (core func $i "g")))
  (instance $painter (instantiate $inner (with "color" (type $color)) (with "paint" (func $paint))))
  (export "demo:paint/painter@1.0.0" (instance $painter))
  (export "count" (func $count))
  (@custom "package-docs" "\\00{}")
)`;

describe('readComponent', () => {
  it('finds what a component imports and exports, with resolved types, through components within it', async () => {
    const { imports, exports, customSections } = readComponent(await parse(NESTED));
    expect([...imports.keys()]).toEqual(['host:clock/now']);
    expect([...exports.keys()]).toEqual(['point', 'demo:paint/painter@1.0.0', 'count']);
    expect(exports.get('count')).toEqual({
      sort: 'function',
      type: { parameters: [], result: { kind: 'u64' } },
    });
    const painter = exports.get('demo:paint/painter@1.0.0');
    expect(painter?.sort === 'instance' && painter.items.get('paint')).toEqual({
      sort: 'function',
      type: { parameters: [{ name: 'c', type: { kind: 'enum', names: ['red', 'green'] } }], result: undefined },
    });
    expect(Buffer.from(customSections.get('package-docs') ?? []).toString()).toBe('\0{}');
  });

  it('says what a core module is, and how it becomes a component', async () => {
    const core = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    expect(() => readComponent(core)).toThrow(/core WebAssembly module.*wasm-tools component new/);
  });

  it('says that a text is no WebAssembly', () => {
    expect(() => readComponent(Buffer.from('hello there'))).toThrow(/no WebAssembly/);
    expect(() => readComponent(new Uint8Array())).toThrow(MalformedComponent);
  });

  it('reads any damaged component, or says where it cannot, and never hangs', async () => {
    const whole = await parse(NESTED);
    const damage = fc.record({
      at: fc.nat(whole.length - 1),
      byte: fc.nat(255),
      length: fc.integer({ min: 8, max: whole.length }),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let bytes = Uint8Array.from(whole);
        for (const { at, byte, length } of damages) {
          if (at >= 8 && at < bytes.length) bytes[at] = byte;
          bytes = bytes.slice(0, Math.max(8, Math.min(length, bytes.length)));
        }
        try {
          readComponent(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedComponent);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
