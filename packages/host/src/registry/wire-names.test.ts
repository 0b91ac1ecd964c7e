import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWireNames } from './wire-names.ts';

const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const name = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.stringMatching(/^[a-z_.]{1,6}$/),
  fc.constantFrom(
    'calendar.read',
    'calendar_read',
    'calendar/read',
    'n'.repeat(80),
    `${'n'.repeat(79)}m`,
    '日本',
    'Read',
    'read',
    'constructor',
    '__proto__',
  ),
);

describe('wire names', () => {
  test('names that every wire takes stay, others get a readable alias', () => {
    const names = createWireNames(['calendar.read', 'calendar_read', 'a/b', '天気', 'n'.repeat(80)]);
    expect(names.toWire('calendar_read')).toBe('calendar_read');
    expect(names.toWire('calendar.read')).toMatch(/^calendar_read_[0-9a-f]{8}$/);
    expect(names.toWire('天気')).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(names.toWire('n'.repeat(80))).toHaveLength(64);
    expect(names.fromWire('never-listed')).toBe('never-listed');
  });

  test('a name that every object has is aliased: providers would find it in their own tables', () => {
    const names = createWireNames(['constructor', '__proto__', 'constructors']);
    expect(names.toWire('constructor')).toMatch(/^constructor_[0-9a-f]{8}$/);
    expect(names.toWire('__proto__')).toMatch(/^__proto___[0-9a-f]{8}$/);
    expect(names.toWire('constructors')).toBe('constructors');
    expect(names.fromWire(names.toWire('constructor'))).toBe('constructor');
  });

  test('a tool that takes an alias as its own name keeps it, and the alias moves', () => {
    const alias = createWireNames(['a.b']).toWire('a.b');
    const names = createWireNames([alias, 'a.b']);
    expect(names.toWire(alias)).toBe(alias);
    expect(names.fromWire(alias)).toBe(alias);
    expect(names.fromWire(names.toWire('a.b'))).toBe('a.b');
  });

  test('every alias is valid, unique also without case, and leads back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (all) => {
        const names = createWireNames(all);
        const wire = all.map(names.toWire);
        for (const alias of wire) expect(alias).toMatch(VALID);
        expect(new Set(wire).size).toBe(all.length);
        expect(wire.map(names.fromWire)).toEqual(all);
        const kept = new Set(all.filter((one) => VALID.test(one)).map((one) => one.toLowerCase()));
        for (const [index, alias] of wire.entries()) {
          if (alias !== all[index]) expect(kept.has(alias.toLowerCase())).toBe(false);
        }
      }),
    );
  });

  test('aliases do not depend on the order, and stay when other tools come and go', () => {
    const odd = fc.stringMatching(/^[a-z]{1,5}[./ ][a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.uniqueArray(odd, { minLength: 1 }), fc.uniqueArray(odd), (some, others) => {
        const [few, many] = [createWireNames(some), createWireNames([...others, ...some].reverse())];
        for (const one of some) expect(many.toWire(one)).toBe(few.toWire(one));
      }),
    );
  });
});
