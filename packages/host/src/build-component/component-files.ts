import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Modules that a component gets in the place of the packages, by specifier; absolute paths. */
export type ComponentModules = Readonly<Record<string, string>>;

/** What `toolpost build` puts into a component beside the plugin's own code. */
export interface ComponentFiles {
  readonly modules: ComponentModules;
  /** The folder with `plugin.wit` and `javascript/`. */
  readonly witDir: string;
}

/** Where each comes from in the bundle of the command, below `component/`, and otherwise. */
const MODULES: Readonly<Record<string, { readonly bundled: string; readonly specifier: string }>> = {
  '@toolpost/sdk': { bundled: 'sdk.js', specifier: '@toolpost/sdk/wasm' },
  '@toolpost/sdk/fs': { bundled: 'fs.js', specifier: '@toolpost/sdk/wasm/fs' },
  zod: { bundled: 'zod.js', specifier: 'zod' },
  'zod/v4': { bundled: 'zod-v4.js', specifier: 'zod/v4' },
  'zod/mini': { bundled: 'zod-mini.js', specifier: 'zod/mini' },
};

/** The host's own copies: in a folder beside this code in the bundle of the command, otherwise those of the packages. */
export function componentFiles(): ComponentFiles {
  const bundle = new URL('./component/', import.meta.url);
  const isBundle = existsSync(new URL('sdk.js', bundle));
  const urlOf = ({ bundled, specifier }: { bundled: string; specifier: string }): string =>
    isBundle ? new URL(bundled, bundle).href : import.meta.resolve(specifier);
  const wit = isBundle
    ? new URL('wit/', bundle).href
    : new URL('wit/', import.meta.resolve('@toolpost/protocol/package.json')).href;
  return {
    modules: Object.fromEntries(Object.entries(MODULES).map(([name, place]) => [name, fileURLToPath(urlOf(place))])),
    witDir: fileURLToPath(wit),
  };
}

/** Lays out the world of a JavaScript component with all that it refers to, for as long as `work` takes. */
export async function withComponentWit<T>(witDir: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'toolpost-wit-'));
  try {
    await cp(path.join(witDir, 'javascript'), dir, { recursive: true });
    await mkdir(path.join(dir, 'deps'), { recursive: true });
    await cp(path.join(witDir, 'plugin.wit'), path.join(dir, 'deps', 'toolpost-plugin.wit'));
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
