import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOST_VERSION } from '@toolpost/host';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function read(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);

test('all packages have the version that the host says it has', () => {
  expect(folders.map((folder) => [folder, read(folder).version])).toEqual(
    folders.map((folder) => [folder, HOST_VERSION]),
  );
});

describe.each(['.', ...folders])('%s', (folder) => {
  test('names every dependency with one exact version', () => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = read(folder);
    const all = {
      ...(dependencies ?? {}),
      ...(devDependencies ?? {}),
      ...(optionalDependencies ?? {}),
      ...(peerDependencies ?? {}),
    };
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)));
    expect(loose).toEqual([]);
  });
});
