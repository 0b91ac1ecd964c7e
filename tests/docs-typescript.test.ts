import { expect, it } from 'vitest';
import { playPage, readPage, timeless, typeErrorsOf } from './documented-page.ts';
import { PAGES } from './documented-pages.ts';

const PAGE = 'docs/write-a-tool-in-typescript.md';

it('shows no code that is not run', () => {
  expect(readPage(PAGE).unchecked).toEqual([]);
});

it('shows what its commands answer', { timeout: 120_000 }, async () => {
  const played = await playPage(PAGE, PAGES[PAGE]);
  for (const { command, output, answer } of played) expect.soft(timeless(answer), command).toBe(timeless(output));
});

it('shows code whose types are right', { timeout: 60_000 }, async () => {
  expect(await typeErrorsOf(readPage(PAGE).parts, PAGES[PAGE] ?? [])).toBe('');
});
