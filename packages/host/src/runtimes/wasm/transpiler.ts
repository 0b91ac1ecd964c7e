import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '@toolpost/protocol';

const PACKAGE = '@bytecodealliance/jco-transpile';
/** What it generates and what the worker gives to that have to fit: exactly this one, as in package.json. */
export const TRANSPILER_VERSION = '0.15.0';

/** Where the transpiler is. */
export interface FoundTranspiler {
  readonly moduleUrl: string;
}

/**
 * Finds the transpiler, an optional install of some 100 MB: beside the host, else in `wasm/` of the home directory.
 * @throws Error with the command that installs it.
 */
export function findTranspiler(homeDir: string, hostFile = import.meta.url): FoundTranspiler {
  const others: string[] = [];
  for (const from of [hostFile, pathToFileURL(join(homeDir, 'wasm', 'package.json')).href]) {
    const found = lookFrom(from);
    if (found?.version === TRANSPILER_VERSION) return { moduleUrl: pathToFileURL(found.entry).href };
    if (found) others.push(`${found.version} in ${dirname(found.entry)}`);
  }
  const reason = others.length > 0 ? `found is ${others.join(' and ')}` : 'it is not installed';
  throw new Error(
    `WebAssembly plugins need ${PACKAGE} ${TRANSPILER_VERSION} when they are first loaded: ${reason}. ` +
      `Install it with: npm install --prefix ${quoteForShell(join(homeDir, 'wasm'))} ${PACKAGE}@${TRANSPILER_VERSION}`,
  );
}

function lookFrom(place: string): { entry: string; version: string } | undefined {
  try {
    const entry = createRequire(place).resolve(PACKAGE);
    return { entry, version: versionOf(dirname(entry)) };
  } catch {
    return undefined;
  }
}

function versionOf(folder: string): string {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return dirname(folder) === folder ? 'of no version' : versionOf(dirname(folder));
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isJsonObject(manifest) && typeof manifest.version === 'string' ? manifest.version : 'of no version';
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
