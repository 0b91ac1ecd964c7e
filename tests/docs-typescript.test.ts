import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  linkPackages,
  makeTempDir,
  type PagePart,
  playPage,
  readPage,
  repository,
  writePart,
} from './documented-page.ts';

const PAGE = 'docs/write-a-tool-in-typescript.md';
const PACKAGES = ['arktype', '@toolpost/sdk'];

it('shows no code that is not run', () => {
  expect(readPage(PAGE).unchecked).toEqual([]);
});

it('shows what its commands really answer', { timeout: 120_000 }, async () => {
  const { shown, real } = await playPage(PAGE, { packages: PACKAGES });
  expect(real).toBe(shown);
});

it('shows code whose types are right, as strictly as our own', { timeout: 60_000 }, async () => {
  const dir = makeTempDir();
  const compilerOptions = { composite: false, noEmit: true, rewriteRelativeImportExtensions: false, types: ['node'] };
  const project: PagePart[] = [
    { kind: 'file', path: 'package.json', text: '{"type":"module"}' },
    {
      kind: 'file',
      path: 'tsconfig.json',
      text: JSON.stringify({ extends: path.join(repository, 'tsconfig.base.json'), compilerOptions }),
    },
  ];
  for (const part of [...project, ...readPage(PAGE).parts]) writePart(dir, part);
  linkPackages(dir, [...PACKAGES, 'zod', '@types/node']);
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', dir]).catch((error) => error);
  rmSync(dir, { recursive: true, force: true });
  expect(stdout).toBe('');
});
