import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { playPage, readPage, repository, timeless, typeErrorsOf } from './documented-page.ts';
import { PAGES } from './documented-pages.ts';

const OWN_TEST = 'docs/write-a-tool-in-typescript.md';
const pages = Object.entries(PAGES).filter(([page]) => page !== OWN_TEST);

describe('a page shows what its commands answer', () => {
  it.for(pages)('%s', { timeout: 120_000 }, async ([page, packages]) => {
    const played = await playPage(page, packages);
    expect(played.length).toBeGreaterThan(0);
    for (const { command, output, answer } of played) expect.soft(timeless(answer), command).toBe(timeless(output));
  });
});

const programs = pages.filter(([, packages]) => packages.length > 0).map(([page]) => page);

it.for(programs)('the program of %s has the right types', { timeout: 60_000 }, async (page) => {
  const { parts } = readPage(page);
  expect(parts.map(({ kind }) => kind)).toContain('file');
  expect(await typeErrorsOf(parts, PAGES[page] ?? [])).toBe('');
});

const texts = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: repository }).map((name) => {
  const text = readFileSync(path.join(repository, name), 'utf8');
  return { name, text, prose: text.replaceAll(/^```[\s\S]*?^```$/gm, '') };
});

it.for(texts)('every link of $name leads to a file, and to a heading that is there', ({ name, prose }) => {
  const dead = [...prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, file = '', heading]) => {
    const target = file === '' ? name : path.join(path.dirname(name), file);
    if (!existsSync(path.join(repository, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

/** The anchors that GitHub gives to a page's headings. */
function headingsOf(page: string): string[] {
  const { prose = '' } = texts.find(({ name }) => name === page) ?? {};
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.for(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file that %s names is there', (name) => {
  const text = readFileSync(path.join(repository, name), 'utf8');
  const named = [...text.matchAll(/[\w-]+(?:\/[\w.-]+)+\.(?:ts|js|py|md)\b/g)].map(([file]) => file);
  const places = [
    '',
    'packages/host/src',
    'packages/web/src',
    'packages/web/src/frame',
    'packages/cli/src/terminal-client',
  ];
  const missing = named.filter((file) => !places.some((place) => existsSync(path.join(repository, place, file))));
  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** Whoever registered these names first would be run by everybody who copied the line. */
it.for(texts)('$name has nobody fetch from npm what is not published', ({ text }) => {
  const fetched = /\bnpm (?:install|i)\b[^\n`]* (?:toolpost|@toolpost\/[\w-]+)(?![\w/-])[^\n`]*|"npx"[^\n]*"toolpost"/g;
  expect([...text.matchAll(fetched)].map(([line]) => line)).toEqual([]);
});
