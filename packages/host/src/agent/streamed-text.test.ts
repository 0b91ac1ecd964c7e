import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamedText } from './streamed-text.ts';

function read(pieces: readonly string[], path: readonly string[] = ['code']): string {
  const reader = new StreamedText(path);
  for (const piece of pieces) reader.push(piece);
  return reader.text;
}

const inChars = (json: string) => json.split('');

describe('a text that is read while its JSON comes', () => {
  it.each<[string, string, string]>([
    ['the key', '{"code":"a"}', 'a'],
    ['white space everywhere', ' {\n "code" \t:\r "a" } ', 'a'],
    ['the key among others', '{"title":"x","list":[1,{"code":"no"}],"code":"a","more":{"code":"no"}}', 'a'],
    ['a value that looks like the key', '{"note":"\\"code\\":\\"no\\"","code":"a"}', 'a'],
    ['a value that is the key', '{"x":"code","y":["code","no"],"code":"a"}', 'a'],
    ['every escape', '{"code":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9"}', '"\\/\b\f\n\r\tAé'],
    ['a surrogate pair in two escapes', '{"code":"\\ud83d\\ude00!"}', '😀!'],
    ['a key in escapes', '{"\\u0063ode":"a"}', 'a'],
    ['the key twice', '{"code":"first","code":"last"}', 'last'],
    ['the key twice, the last one no text', '{"code":"first","code":5}', ''],
    ['another value', '{"code":{"code":"no"}}', ''],
    ['a number', '{"code":12}', ''],
    ['null', '{"code":null}', ''],
    ['no such key', '{"cod":"no","code2":"no"}', ''],
    ['the key in a list at the top', '[{"code":"no"}]', ''],
    ['nothing', '', ''],
    ['an empty object', '{}', ''],
    ['single quotes', "{'code':'no'}", ''],
    ['half of it', '{"code":"hal', 'hal'],
    ['half of an escape', '{"code":"a\\u00', 'a'],
    ['what is behind the object', '{"code":"a"}{"code":"no"}', 'a'],
    ['a line break in the text, which is no JSON', '{"code":"a\nb"}', 'a'],
    ['a comma too much', '{"x":1,,"code":"no"}', ''],
  ])('is found in %s', (_title, json, text) => {
    expect(read([json])).toBe(text);
    expect(read(inChars(json))).toBe(text);
  });

  it('is found below another key where the arguments were wrapped for a provider', () => {
    const json = '{"code":"no","value":{"x":{"code":"no"},"code":"a"},"z":{"code":"no"}}';
    expect(read(inChars(json), ['value', 'code'])).toBe('a');
    expect(read(['{"value":{"code":"a"},"value":{"x":1}}'], ['value', 'code'])).toBe('');
  });

  it('gives up on JSON that is nested too deep, and keeps nothing of it', () => {
    expect(read(['{"x":', '['.repeat(1_000_000), '{"code":"no"'])).toBe('');
  });

  // A time that grew with the square would be minutes.
  it('reads a megabyte that comes in single characters', () => {
    const count = 200_000;
    expect(read(inChars(JSON.stringify({ code: 'x\\"\n'.repeat(count) }))).length).toBe(4 * count);
  });

  it('is at each moment a beginning of what JSON.parse gives, and at the end all of it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"code":', '\\'),
    );
    const key = fc.oneof(fc.constantFrom('code', 'value', 'cod', 'code '), text);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.jsonValue({ maxDepth: 1 }), tie('object'), fc.array(tie('value'))),
      object: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => new Entries(entries)),
    }));
    const top = fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries) => new Entries(entries));
    const property = fc.property(
      top,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      fc.boolean(),
      (given, sizes, isAscii) => {
        const json = isAscii ? toAscii(write(given)) : write(given);
        for (const path of [['code'], ['value', 'code']]) {
          const whole = expected(json, path);
          const reader = new StreamedText(path);
          let known = '';
          for (let at = 0; at < json.length; ) {
            const size = sizes.next().value ?? 1;
            reader.push(json.slice(at, at + size));
            at += size;
            // Another occurrence of the key begins anew.
            if (reader.text.length < known.length) known = '';
            expect(reader.text.startsWith(known)).toBe(true);
            known = reader.text;
          }
          expect(reader.text).toBe(whole);
        }
      },
    );
    fc.assert(property, { numRuns: 150 });
  });

  it('is for each prefix what JSON.parse gives for the prefix, closed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (code) => {
        const json = JSON.stringify({ before: { code: 1 }, code });
        const start = json.lastIndexOf('"code":"') + '"code":"'.length;
        const reader = new StreamedText(['code']);
        reader.push(json.slice(0, start));
        for (let end = start + 1; end < json.length; end++) {
          reader.push(json.slice(end - 1, end));
          const closed = closedAt(json.slice(0, end));
          if (closed !== undefined) expect(reader.text).toBe(closed);
        }
      }),
    );
  });
});

/** An object with its keys as they come, twice too, which no object of JavaScript has. */
class Entries {
  readonly entries: readonly (readonly [string, unknown])[];
  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

function write(value: unknown): string {
  if (value instanceof Entries)
    return `{${value.entries.map(([key, inner]) => `${JSON.stringify(key)}: ${write(inner)}`).join(' ,')}}`;
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  return JSON.stringify(value);
}

function toAscii(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function expected(json: string, path: readonly string[]): string {
  let value = JSON.parse(json);
  for (const key of path) value = value?.constructor === Object && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function closedAt(prefix: string): string | undefined {
  try {
    return JSON.parse(`${prefix}"}`).code;
  } catch {
    return undefined;
  }
}
