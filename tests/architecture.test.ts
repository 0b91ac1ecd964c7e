import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './documented-page.ts';

const page = readFileSync(path.join(repository, 'ARCHITECTURE.md'), 'utf8');

interface Import {
  readonly file: string;
  readonly target: string;
  /** Erased when it runs: only types. */
  readonly isType: boolean;
}

const SPECIFIER =
  /^(?:import|export)\s+(?<what>[^;'"]*?\s+from\s+)?'(?<static>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm;

function importsOf(packageName: string): Import[] {
  const src = path.join(repository, 'packages', packageName, 'src');
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/\.test(-d)?\.ts$|(^|\/)fixtures\//.test(file));
  return files.flatMap((file) =>
    [...readFileSync(path.join(src, file), 'utf8').matchAll(SPECIFIER)].map(({ groups = {} }) => {
      const target = groups.static ?? groups.dynamic ?? '';
      const resolved = target.startsWith('.') ? path.join(path.dirname(file), target) : target;
      return { file, target: resolved, isType: isTypeOnly(groups.what) };
    }),
  );
}

function isTypeOnly(what = ''): boolean {
  if (what.startsWith('type ')) return true;
  const names = /^\{([^}]*)\}/
    .exec(what)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names?.filter(Boolean).every((name) => name.startsWith('type ')) ?? false;
}

const told = ({ file, target }: Import) => `${file} -> ${target}`;

describe('imports go one way', () => {
  const PACKAGES = ['protocol', 'sdk', 'host', 'cli'];

  it.for(PACKAGES)('%s uses only the packages before it', (name) => {
    const allowed = PACKAGES.slice(0, PACKAGES.indexOf(name)).map((earlier) => `@toolpost/${earlier}`);
    const ours = importsOf(name).filter(({ target }) => target.startsWith('@toolpost/'));
    const wrong = ours.filter(({ target }) => !allowed.some((one) => target === one || target.startsWith(`${one}/`)));
    expect(wrong.map(told)).toEqual([]);
  });

  it('protocol runs in a browser', () => {
    expect(
      importsOf('protocol')
        .filter(({ target }) => target.startsWith('node:'))
        .map(told),
    ).toEqual([]);
  });

  it('the parts of the host use what ARCHITECTURE.md draws above them', () => {
    const wrong = importsOf('host').filter((one) => {
      const [from, to] = [layerOf(one.file), layerOf(one.target)];
      if (one.isType || !from || !to || from.part === to.part) return false;
      return to.layer > from.layer || (to.layer === from.layer && !from.uses.includes(to.part));
    });
    expect(wrong.map(told)).toEqual([]);
  });

  it('runtimes do not know one another, and nobody else knows them', () => {
    const folderOf = (file: string) => /^runtimes\/([\w-]+)\//.exec(file)?.[1];
    const known = new Set(['runtimes/choose-runtime.ts', 'runtimes/conformance.ts', 'plugin-life/create-slots.ts']);
    const wrong = importsOf('host').filter(({ file, target }) => {
      const runtime = folderOf(target);
      return runtime !== undefined && folderOf(file) !== runtime && !known.has(file);
    });
    expect(wrong.map(told)).toEqual([]);
  });

  it('registry and permissions do no I/O', () => {
    const io = /^node:(fs|net|http|https|child_process|dgram|worker_threads|timers)/;
    const pure = importsOf('host').filter(({ file }) => /^(registry|permissions)\//.test(file));
    expect(pure.length).toBeGreaterThan(20);
    expect(pure.filter(({ target }) => io.test(target)).map(told)).toEqual([]);
  });
});

interface Part {
  readonly part: string;
  readonly layer: number;
  /** What it uses of its own line, in parentheses there. */
  readonly uses: readonly string[];
}

/** The parts of the host as the page draws them, a layer a line. */
const parts: readonly Part[] = (/^## Packages$[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '')
  .split('\n')
  .flatMap((line, layer) =>
    [...line.matchAll(/([\w.-]+)(?: \(([\w., -]+)\))?/g)].map(([, part = '', uses = '']) => ({
      part,
      layer,
      uses: uses.split(', '),
    })),
  );

function layerOf(file: string): Part | undefined {
  const [part] = file.split('/');
  return parts.find((one) => one.part === part);
}

it.for(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file that %s names is there', (name) => {
  const text = readFileSync(path.join(repository, name), 'utf8');
  const named = [...text.matchAll(/[\w-]+(?:\/[\w.-]+)+\.(?:ts|js|py|md)\b/g)].map(([file]) => file);
  const places = ['', 'packages/host/src'];
  const missing = named.filter((file) => !places.some((place) => existsSync(path.join(repository, place, file))));
  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

it('every part of the host has its place in the drawing', () => {
  const folders = globSync('packages/host/src/*/', { cwd: repository }).map((folder) => path.basename(folder));
  expect(folders.filter((folder) => !parts.some(({ part }) => part === folder))).toEqual([]);
});
