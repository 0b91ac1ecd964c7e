import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatErrorResult, formatListResult, formatToolResult } from './format-results.ts';
import { toToolResult } from './to-tool-result.ts';
import { newResultBuilder, newToolError, newToolResult } from './tool-results.ts';

const text = (value: string) => [{ type: 'text', text: value }];

describe('results', () => {
  it('are text, with or without the error flag', () => {
    expect(newToolResult('done')).toEqual({ content: text('done'), isError: false });
    expect(newToolError('file not found')).toEqual({ content: text('file not found'), isError: true });
  });

  it('are built step by step', () => {
    const builder = newResultBuilder()
      .content('Server Info\nstatus: running')
      .metadata('kind', 'a')
      .metadata('kind', 'server-info');
    expect(builder.build()).toEqual({
      content: text('Server Info\nstatus: running'),
      isError: false,
      metadata: { kind: 'server-info' },
    });
    expect(newResultBuilder().error('broken').build()).toEqual({ content: text('broken'), isError: true });
    expect(newResultBuilder().error('fine').isError(false).structuredContent({ a: 1 }).build()).toEqual({
      content: text('fine'),
      structuredContent: { a: 1 },
      isError: false,
    });
    expect(newResultBuilder().build()).toEqual({ content: text(''), isError: false });
  });

  it('are copies: a built one does not change with its builder', () => {
    const lines = ['a'];
    const builder = newResultBuilder().metadata('lines', lines);
    const built = builder.build();
    lines.push('b');
    builder.metadata('more', 1).content('later');
    expect(built).toEqual({ content: text(''), isError: false, metadata: { lines: ['a'] } });
  });
});

describe('formatters give what the seed shows, byte for byte', () => {
  it.each([
    [
      formatToolResult('Server Info', { status: 'running', version: '2.0.1' }),
      'Server Info\nstatus: running\nversion: 2.0.1',
    ],
    [formatToolResult('T', { b: '2', a: '1', B: '0' }), 'T\nB: 0\na: 1\nb: 2'],
    [
      formatToolResult(
        'T',
        new Map([
          ['b', 2],
          ['a', 1],
        ]),
      ),
      'T\na: 1\nb: 2',
    ],
    [formatToolResult('T', {}), 'T'],
    [formatToolResult('T', null), 'T'],
    [formatToolResult('T'), 'T'],
    [formatToolResult('', { a: '1' }), '\na: 1'],
    [formatListResult(['alpha', 'beta']), '1. alpha\n2. beta'],
    [formatListResult([]), '(no items)'],
    [formatListResult(null), '(no items)'],
    [formatToolResult('T', { n: 1, list: ['a'], none: undefined }), 'T\nlist: ["a"]\nn: 1\nnone: undefined'],
    [formatListResult([1, { a: 1 }]), '1. 1\n2. {"a":1}'],
  ])('%#', (result, expected) => {
    expect(result).toBe(expected);
  });

  it.each([
    [new Error('no space left'), 'save failed: no space left'],
    ['refused', 'save failed: refused'],
    [null, 'save failed: unknown error'],
    [undefined, 'save failed: unknown error'],
  ])('an error: %s', (error, expected) => {
    expect(formatErrorResult('save', error)).toEqual({ content: text(expected), isError: true });
  });

  it('sorts keys by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 })), (keys) => {
        const values = Object.fromEntries(keys.map((key) => [key, 'v']));
        const sorted = Object.keys(values).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(formatToolResult('T', values)).toBe(['T', ...sorted.map((key) => `${key}: v`)].join('\n'));
      }),
    );
  });
});

describe('toToolResult', () => {
  it.each([
    ['text', 'hi', { content: text('hi'), isError: false }],
    ['nothing', undefined, { content: text(''), isError: false }],
    ['null', null, { content: text(''), isError: false }],
    ['a number', 4.5, { content: text('4.5'), isError: false }],
    ['a boolean', false, { content: text('false'), isError: false }],
    ['a list', [1, 'a'], { content: text('[1,"a"]'), isError: false }],
    ['an empty list', [], { content: text('[]'), isError: false }],
    ['a plain object', { a: 1 }, { content: text('{"a":1}'), structuredContent: { a: 1 }, isError: false }],
    ['an object of a class', new URL('http://x/'), { content: text('"http://x/"'), isError: false }],
    ['a list of blocks', text('x'), { content: text('x'), isError: false }],
    ['text content', { content: 'x', metadata: { k: 1 } }, { content: text('x'), isError: false, metadata: { k: 1 } }],
    ['the seed spelling', { content: 'x', is_error: true }, { content: text('x'), isError: true }],
    [
      'structured content alone',
      { structuredContent: { a: 1 } },
      { content: text('{"a":1}'), structuredContent: { a: 1 }, isError: false },
    ],
    [
      'a structured error alone',
      { structuredContent: { code: 404 }, isError: true },
      { content: text('{"code":404}'), structuredContent: { code: 404 }, isError: true },
    ],
    ['no blocks', { content: [], isError: false }, { content: [], isError: false }],
    [
      'data that has a field `content`',
      { content: 'x', path: 'p' },
      { content: text('{"content":"x","path":"p"}'), structuredContent: { content: 'x', path: 'p' }, isError: false },
    ],
    ['a returned error', new Error('broken'), { content: text('broken'), isError: true }],
  ])('settles %s', (_kind, value, expected) => {
    expect(toToolResult(value)).toEqual(expected);
  });

  it('returns a clean result as it is', () => {
    const ready = {
      content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
      isError: false,
      structuredContent: { a: [1] },
    };
    expect(toToolResult(ready)).toBe(ready);
  });

  it('keeps unknown keys of a block', () => {
    const block = { type: 'text', text: 'x', annotations: { audience: ['user'] } };
    expect(toToolResult([block]).content).toEqual([block]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  it.each([
    ['a cycle', cyclic, 'circular'],
    ['a BigInt', { n: 1n }, 'BigInt'],
    ['an async iterator', (async function* () {})(), 'it is an async iterator'],
    [
      'a list of blocks with a hole',
      Object.assign(text('x'), { length: 2 }),
      'content[1] must be a block, got nothing',
    ],
    ['a function', () => 1, 'it is a function'],
    ['a depth without end', { deep }, 'nested too deep'],
    ['a block without text', [{ type: 'text' }], 'content[0].text must be text, got nothing'],
    [
      'a block of another kind',
      { content: [{ type: 'text', text: 'x' }, { type: 'video' }] },
      'content[1].type must be one of text, image',
    ],
    ['an image without a type', [{ type: 'image', data: 'aGk=' }], 'content[0].mimeType must be text, got nothing'],
    ['a resource without an address', [{ type: 'resource', resource: {} }], 'content[0].resource.uri must be text'],
    ['content that is a number', { content: 5, isError: false }, 'content must be text or a list of blocks, got 5'],
    ['a flag that is text', { content: 'x', isError: 'no' }, 'isError must be true or false, got "no"'],
    ['metadata that is text', { content: 'x', metadata: 'm' }, 'metadata must be an object, got "m"'],
    ['metadata with a cycle', { content: 'x', metadata: cyclic }, 'metadata has no JSON form'],
    [
      'a getter that throws',
      {
        get content() {
          throw new Error('trap');
        },
      },
      'trap',
    ],
  ])('makes an error result of %s that says so', (_kind, value, message) => {
    const result = toToolResult(value);
    expect(result.isError).toBe(true);
    expect(result.content).toEqual(text(expect.stringContaining(message) as unknown as string));
  });

  it('carries what the tool gave through JSON unchanged, and never a lone surrogate', () => {
    const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
    const value = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true }),
      fc.object({ key: anyText, values: [anyText] }),
      anyText,
    );
    fc.assert(
      fc.property(value, (given) => {
        const result = toToolResult(given);
        const wire = JSON.stringify(result);
        expect(JSON.parse(wire)).toEqual(result);
        expect(wire).not.toMatch(/(?<!\\)(\\\\)*\\u[dD][89a-fA-F]/);
        expect(Array.isArray(result.content)).toBe(true);
        expect(typeof result.isError).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });
});
