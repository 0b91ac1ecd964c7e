import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uriMatcher } from './uri-template.ts';

describe('a URI template', () => {
  it.each([
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['test://template/{id}/data', 'test://template//data', undefined],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['a://{x*}', 'a://b/c', { x: 'b/c' }],
    ['a://{x}-{y}', 'a://b-c-d', { x: 'b', y: 'c-d' }],
    ['a://s{?q,page}', 'a://s?page=2&q=x%20y&z=1', { q: 'x y', page: '2' }],
    ['a://s{?q}', 'a://s', {}],
    ['a://{__proto__}', 'a://x', JSON.parse('{"__proto__":"x"}')],
    ['a://fixed', 'a://fixed', {}],
    ['a://{a}{b}', 'a://xy', undefined],
    ['a.b://{x}', 'aXb://1', undefined],
  ])('%s reads %s', (template, uri, variables) => expect(uriMatcher(template)(uri)).toEqual(variables));

  it('finds again what was put into it', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(part, part, (a, b) => {
        const uri = `x://${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
        expect(uriMatcher('x://{a}/{b}')(uri)).toEqual({ a, b });
      }),
    );
  });

  it('is matched in one pass, also a hostile one', () => {
    const template = `x://${Array.from({ length: 200 }, (_, at) => `{+v${at}}`).join('a')}b`;
    const startedAt = performance.now();
    expect(uriMatcher(template)(`x://${'a'.repeat(100_000)}`)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
