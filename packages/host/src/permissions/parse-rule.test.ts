import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRule } from './parse-rule.ts';
import { compileTextGlob, escapeGlob } from './text-glob.ts';

describe('rules', () => {
  const forms: [text: string, expected: { plugin?: string; pattern?: string }, names: string[], not: string[]][] = [
    ['read', {}, ['read'], ['reader', 'write']],
    ['Read', {}, ['read'], []],
    ['mcp__github__*', {}, ['mcp__github__issue'], ['mcp__gitlab__issue']],
    ['bash(npm test)', { pattern: 'npm test' }, ['bash'], []],
    ['shadow-read:read', { plugin: 'shadow-read' }, ['read'], []],
    [
      'my.plugin:git_{log,status}(src/@(a|b)/**)',
      { plugin: 'my.plugin', pattern: 'src/@(a|b)/**' },
      ['git_log', 'git_status'],
      ['git_push'],
    ],
    ['a\\:b', {}, ['a:b'], ['b']],
    [' edit (src/**) ', { pattern: 'src/**' }, ['edit'], []],
  ];
  test.each(forms)('%s', (text, expected, names, not) => {
    const { plugin, pattern, matchesName } = parseRule(text, 'permissions.allow[0]');
    expect({ ...(plugin && { plugin }), ...(pattern && { pattern }) }).toEqual(expected);
    for (const name of names) expect(matchesName(name)).toBe(true);
    for (const name of not) expect(matchesName(name)).toBe(false);
  });

  const mistakes: [text: unknown, what: RegExp][] = [
    ['', /is empty/],
    ['   ', /is empty/],
    ['bash(npm test', /has no closing parenthesis/],
    ['bash(npm) test', /goes on after its pattern/],
    ['bash()', /empty pattern: leave the parentheses out/],
    ['(npm test)', /names no tool/],
    ['plugin:', /names no tool/],
    [':read', /is no plugin's id/],
    ['mcp*:read', /"mcp\*", which is no plugin's id/],
    ['read)', /parenthesis that was not opened/],
    [7, /is no text/],
    ['{a,b}'.repeat(12), /is too wide/],
  ];
  test.each(mistakes)('%j is refused with its place and the right form', (text, what) => {
    const read = () => parseRule(text as string, 'permissions.deny[3]');
    expect(read).toThrow(what);
    expect(read).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('permissions.deny[3]') }),
    );
  });
});

describe('text globs', () => {
  test('* crosses everything, ? is one character, braces are alternatives, a backslash takes the next as it is', () => {
    expect(compileTextGlob('git * --f?x')('git a/b\nc --fix')).toBe(true);
    expect(compileTextGlob('{a,{b,c}d}e')('cde')).toBe(true);
    expect(compileTextGlob('rm \\*')('rm x')).toBe(false);
    expect(compileTextGlob('find {} +')('find {} +')).toBe(true);
    expect(compileTextGlob('')('')).toBe(true);
    expect(compileTextGlob('***')('')).toBe(true);
  });

  test('a hostile text costs no more than pattern x text', () => {
    const matches = compileTextGlob('*a*a*a*a*a*a*a*a*b');
    const startedMs = performance.now();
    expect(matches('a'.repeat(200_000))).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  test('an escaped text matches itself and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, other) => {
        const matches = compileTextGlob(escapeGlob(text));
        expect(matches(text)).toBe(true);
        expect(matches(other)).toBe(other === text);
      }),
    );
  });

  test('agrees with the obvious regular expression', () => {
    const unit = fc.constantFrom('a', 'b', '*', '?');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 }),
        (glob, text) => {
          const regex = new RegExp(`^${glob.replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`);
          expect(compileTextGlob(glob)(text)).toBe(regex.test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
