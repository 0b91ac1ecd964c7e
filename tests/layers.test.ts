import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { breachesOf, circlesOf, importsOf, type Sources } from './layers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = readdirSync(join(root, 'packages'));

function readSources(): Sources {
  const sources = new Map<string, string>();
  for (const name of packages) {
    for (const entry of readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // Tests may reach wherever they need to.
      if (!/\.tsx?$/.test(path) || /\.test(-d)?\.tsx?$/.test(path) || path.includes(`${sep}fixtures${sep}`)) continue;
      sources.set(relative(root, path).replaceAll(sep, '/'), readFileSync(path, 'utf8'));
    }
  }
  return sources;
}

function declaredDependencies(): Record<string, string[]> {
  return Object.fromEntries(
    packages.map((name) => {
      const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
      const {
        dependencies = {},
        devDependencies = {},
        peerDependencies = {},
        optionalDependencies = {},
      } = JSON.parse(text);
      // What the command is bundled from is needed for its build only.
      const bundled = name === 'cli' || name === 'web' ? devDependencies : {};
      return [name, Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies, ...bundled })];
    }),
  );
}

const sources = readSources();
const imports = importsOf(sources);

test('every import goes from a higher layer to a lower one', () => {
  expect(sources.size).toBeGreaterThan(200);
  expect(imports.length).toBeGreaterThan(sources.size);
  expect(breachesOf(imports, declaredDependencies())).toEqual([]);
});

test('no files load one another in a circle', () => {
  expect(circlesOf(imports)).toEqual([]);
});

test('nothing outside the runtimes asks which runtime a tool has', () => {
  const asking = [...sources].flatMap(([path, text]) =>
    path.startsWith('packages/host/src/runtimes/')
      ? []
      : [...text.matchAll(/(?<!manifest)\.runtime\s*[!=]==?/g)].map(() => path),
  );
  expect(asking).toEqual([]);
});

describe('the rules themselves', () => {
  const host = 'packages/host/src';
  const breaches: [title: string, path: string, text: string, why: RegExp][] = [
    [
      'the protocol imports the SDK',
      'packages/protocol/src/a.ts',
      "import { x } from '@toolpost/sdk';",
      /may import no package/,
    ],
    [
      'the protocol imports a Node module',
      'packages/protocol/src/a.ts',
      "import { join } from 'node:path';",
      /browser/,
    ],
    [
      'the web client imports the host',
      'packages/web/src/a.tsx',
      "import type { Host } from '@toolpost/host';",
      /may import protocol/,
    ],
    ['a package reaches into another', `${host}/a.ts`, "export * from '../../sdk/src/index.ts';", /by its name/],
    [
      'a package that is not declared',
      'packages/sdk/src/a.ts',
      "import { z } from 'zod';",
      /zod is not in the package.json of sdk/,
    ],
    [
      'a type from above',
      `${host}/registry/a.ts`,
      "import type { Host } from '../host.ts';",
      /host.ts stands above registry/,
    ],
    ['an import when needed from above', `${host}/call-path/a.ts`, "await import('../host.ts')", /stands above/],
    [
      'one runtime imports another',
      `${host}/runtimes/stdio/a.ts`,
      "import { b } from '../native/b.ts';",
      /never import one another/,
    ],
    [
      'the call path imports a runtime',
      `${host}/call-path/a.ts`,
      "import { b } from '../runtimes/stdio/b.ts';",
      /only the host/,
    ],
    [
      "a component's side of the SDK imports a Node module",
      'packages/sdk/src/wasm/a.ts',
      "import { join } from 'node:path';",
      /no Node/,
    ],
    [
      'the SDK imports what only a component has',
      'packages/sdk/src/a.ts',
      "import log from 'toolpost:plugin/log@0.1.0';",
      /only a component/,
    ],
    [
      'the registry reads files',
      `${host}/registry/a.ts`,
      "import { readFileSync } from 'node:fs';",
      /no input or output/,
    ],
    [
      'the agent sees the registry',
      `${host}/agent/a.ts`,
      "import {\n  type B,\n} from '../registry/b.ts';",
      /a model and a callTool/,
    ],
  ];
  test.each(breaches)('%s', (_title, path, text, why) => {
    const found = breachesOf(importsOf(new Map([[path, text]])), { protocol: [], sdk: [], host: [], web: [] });
    expect(found.join('\n')).toMatch(why);
  });

  test('a circle is shown as the way round; one of types is none', () => {
    const file = (name: string) => `${host}/${name}.ts`;
    const circle = new Map([
      [file('a'), "import { b } from './b.ts';"],
      [file('b'), "export { c } from './c.ts';"],
      [file('c'), "import { a } from './a.ts';"],
    ]);
    expect(circlesOf(importsOf(circle))).toEqual([`${file('a')} -> ${file('b')} -> ${file('c')} -> ${file('a')}`]);
    circle.set(file('c'), "import type { A } from './a.ts';");
    expect(circlesOf(importsOf(circle))).toEqual([]);
  });
});
