import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './documented-page.ts';

const PLACES = ['packages/*/{src,test,bin}', 'plugins', 'scripts', 'tests', 'bench', 'conformance'];
const sources = PLACES.flatMap((place) => globSync(`${place}/**/*.{ts,tsx,js,css}`, { cwd: repository }))
  .filter((name) => !name.includes('node_modules'))
  .map((name) => ({ name, lines: readFileSync(path.join(repository, name), 'utf8').split('\n').length - 1 }));

it('no source file is longer than 400 lines', () => {
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.filter(({ lines }) => lines > 400)).toEqual([]);
});

it('half of the source files have at most 120 lines, and nineteen of twenty at most 250', () => {
  const sorted = sources.map(({ lines }) => lines).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  expect(at(0.5)).toBeLessThanOrEqual(120);
  expect(at(0.95)).toBeLessThanOrEqual(250);
});
