import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';
import { findRipgrep } from './ripgrep.ts';
import { runSearch } from './run-search.ts';
import type { GrepJob, SearchSummary } from './search-job.ts';

const ripgrep = findRipgrep(process.env.PATH ?? '', []);

function grep(root: string, job: Partial<GrepJob>): { lines: string[]; summary: SearchSummary } {
  const place = { root, base: root, shownFrom: root, blocked: join(root, 'no'), withheld: undefined };
  const options = { isFile: false, ignoreCase: false, context: 0, maxMatches: 5000, pattern: '' };
  const steps = runSearch({ kind: 'grep', ...place, ...options, ...job });
  const lines: string[] = [];
  let step = steps.next();
  for (; !step.done; step = steps.next()) lines.push(...step.value);
  return { lines, summary: step.value };
}

const word = fc.constantFrom(
  ...[
    'needle',
    'NEEDLE',
    'Needle',
    'need',
    '\u212aneedle',
    'stra\u017fe',
    'strasse',
    '\ufeff',
    '\u{1F600}',
    '\r',
    '\0',
  ],
  ...['a.b', 'axb', '-e', '--', '$x', '\\', '"', "'", 'caf\u00e9', 'cafe\u0301', '\u0130', 'i', '\ufffd'],
);
const content = fc.oneof(
  fc
    .array(fc.oneof(word, fc.constantFrom(' ', '\n', '\r\n')), { maxLength: 12 })
    .map((parts) => Buffer.from(parts.join(''))),
  fc.array(word, { maxLength: 4 }).map((parts) => Buffer.from(`\ufeff${parts.join('')}`, 'utf16le')),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.concat([bytes, Buffer.from('needle')])),
);
const name = fc.constantFrom(
  'a.txt',
  'b.ts',
  '.hidden',
  '-dash',
  'sp ace',
  'new\nline',
  'd/a.txt',
  'd/.env',
  'd/e/c.log',
  'caf\u00e9',
);
const files = fc.dictionary(name, content, { noNullPrototype: true });
const ignore = fc.constantFrom('', '*.log\n', 'd/\n', '*.txt\n!d/a.txt\n');
const pattern = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 2 }).map((words) =>
    words
      .join('')
      .replace(/[\0$.\\]/g, '\\$&')
      .replace('\\\0', ''),
  ),
  fc.constantFrom('needle\\b', '^needle', 'a\\.b', 'need.*le', '(needle|i)', 'ne+dle', 'caf.', '(?i)STRASSE', '-e'),
);

test.skipIf(ripgrep === undefined)(
  'finds the same with and without ripgrep in random trees (needs rg)',
  () => {
    let found = 0;
    fc.assert(
      fc.property(
        files,
        ignore,
        pattern,
        fc.boolean(),
        fc.constantFrom(0, 1),
        (tree, rules, text, ignoreCase, context) => {
          const { root, file } = createWorkspace();
          for (const [path, bytes] of Object.entries(tree)) file(path, bytes);
          file('.gitignore', rules);
          const job = { pattern: text, ignoreCase, context };
          const without = grep(root, job);
          expect(grep(root, { ...job, ripgrep })).toEqual(without);
          found += without.summary.count;
        },
      ),
      { numRuns: Number(process.env.TOOLPOST_SEARCHES ?? 120) },
    );
    expect(found).toBeGreaterThan(10);
  },
  120_000,
);

test.skipIf(ripgrep === undefined)('searches thousands of files, in order, whatever their names (needs rg)', () => {
  const { root, file } = createWorkspace();
  const names = Array.from(
    { length: 2500 },
    (_, index) => `${String(index).padStart(4, '0')} ${'n'.repeat(index % 60)}.txt`,
  );
  for (const [index, name] of names.entries()) file(name, index % 50 === 0 ? 'the needle\n' : 'nothing\n');
  const { lines } = grep(root, { pattern: 'needle', ripgrep });
  expect(lines).toEqual(names.filter((_, index) => index % 50 === 0).map((name) => `${name}:1:the needle`));
});

test.skipIf(ripgrep === undefined || process.getuid?.() === 0)(
  'counts unreadable files with ripgrep too (needs rg, not root)',
  () => {
    const { root, file } = createWorkspace();
    file('a.txt', 'needle');
    chmodSync(file('b.txt', 'needle'), 0);
    expect(grep(root, { pattern: 'needle', ripgrep })).toMatchObject({
      lines: ['a.txt:1:needle'],
      summary: { unreadable: 1 },
    });
  },
);

test('works as without it when the program fails or is gone', () => {
  const { dir, root, file } = createWorkspace();
  file('a.txt', 'needle');
  const failing = join(dir, 'failing');
  writeFileSync(failing, '#!/bin/sh\nexit 2\n', { mode: 0o755 });
  for (const program of [failing, join(dir, 'none')]) {
    expect(grep(root, { pattern: 'needle', ripgrep: program }).lines).toEqual(['a.txt:1:needle']);
  }
});

test('is not taken from a root, nor from a relative folder of the PATH', () => {
  const { dir, root } = createWorkspace();
  const tools = join(dir, 'tools');
  for (const folder of [tools, join(root, 'bin')]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'rg'), '', { mode: 0o755 });
  }
  mkdirSync(join(dir, 'linked'));
  symlinkSync(join(root, 'bin/rg'), join(dir, 'linked/rg'));
  const hostile = ['.', 'bin', '', join(root, 'bin'), join(dir, 'linked')];
  expect(findRipgrep(hostile.join(':'), [root])).toBeUndefined();
  expect(findRipgrep([...hostile, tools].join(':'), [root])).toBe(join(tools, 'rg'));
});
