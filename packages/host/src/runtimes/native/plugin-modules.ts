import { existsSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Bare specifiers that plugins get from the host, with the host's file for each as a file URL. */
export type PluginModules = Readonly<Record<string, string>>;

const SPECIFIERS = {
  '@toolpost/sdk': './sdk.js',
  '@toolpost/sdk/fs': './sdk-fs.js',
  '@toolpost/sdk/testing': './sdk-testing.js',
  zod: './zod.js',
  'zod/v4': './zod-v4.js',
  'zod/mini': './zod-mini.js',
};

/**
 * The host's own copies. In the bundle of the command they lie beside this code as files of their own, so that a
 * plugin shares the zod that the host has loaded; otherwise they are the packages that this package depends on.
 */
export function defaultPluginModules(): PluginModules {
  const isBundle = existsSync(new URL('./sdk.js', import.meta.url));
  return Object.fromEntries(
    Object.entries(SPECIFIERS).map(([specifier, file]) => [
      specifier,
      isBundle ? new URL(file, import.meta.url).href : import.meta.resolve(specifier),
    ]),
  );
}

interface PluginFolder {
  /** With a separator at its end. */
  readonly prefix: string;
  readonly modules: PluginModules;
}

const folders = new Set<PluginFolder>();
/** Files outside of every plugin's folder that count as a plugin's own, by URL. */
const linkedFiles = new Map<string, PluginFolder>();
let isHooked = false;
let lastReached = '';

/** The file that a plugin's import reached last, as a path: the one that could not be compiled after a syntax error. */
export function lastReachedFile(): string {
  return lastReached;
}

/** Whether an absolute path lies in the folder of a plugin that is offered modules, or counts as one of its own files. */
export function isFileOfPlugin(file: string): boolean {
  return ownerOf(pathToFileURL(file).href) !== undefined;
}

/**
 * Makes `modules` importable from every file below `dir`, wherever it lies on the disk; other importers notice
 * nothing. Returns what undoes it.
 */
export function offerModules(dir: string, modules: PluginModules): () => void {
  if (!isHooked) registerHooks({ resolve: resolveForPlugin });
  isHooked = true;
  const folder = { prefix: withSeparator(realpathSync(dir)), modules };
  folders.add(folder);
  return () => {
    folders.delete(folder);
    for (const [url, owner] of linkedFiles) if (owner === folder) linkedFiles.delete(url);
  };
}

type ResolveHook = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

const resolveForPlugin: ResolveHook = (specifier, context, nextResolve) => {
  // The host imports a plugin's entry by its absolute path, which may be a link to a file outside.
  const folder = folders.size > 0 ? (ownerOf(context.parentURL) ?? ownerOf(urlOfAbsolute(specifier))) : undefined;
  if (!folder) return nextResolve(specifier, context);
  if (Object.hasOwn(folder.modules, specifier) && !hasOwnCopy(specifier, context.parentURL, folder))
    return { url: folder.modules[specifier] ?? '', format: 'module', shortCircuit: true };
  const resolved = nextResolve(specifier, context);
  if (!resolved.url.startsWith('file:')) return resolved;
  lastReached = fileURLToPath(resolved.url);
  const url = sameReading(resolved.url, context.parentURL);
  if (isLinked(specifier, url)) linkedFiles.set(url, folder);
  return { ...resolved, url };
};

const READING = '?toolpost-reading=';

/** A file's URL for another reading of it: Node keeps one module for each URL. */
export function readingOf(url: string, reading: number): string {
  return `${url}${READING}${reading}`;
}

/** What a file imports is read as anew as itself, installed packages aside. */
function sameReading(url: string, importer: string | undefined): string {
  const at = importer?.indexOf(READING) ?? -1;
  return at < 0 || url.includes('?') || isInstalled(url) ? url : url + importer?.slice(at);
}

/** Whether a file outside counts as the plugin's own: reached by a path, or a package that a link points to. */
function isLinked(specifier: string, url: string): boolean {
  return !ownerOf(url) && (specifier.startsWith('.') || urlOfAbsolute(specifier) !== undefined || !isInstalled(url));
}

function isInstalled(url: string): boolean {
  return url.includes('/node_modules/');
}

function urlOfAbsolute(specifier: string): string | undefined {
  if (specifier.startsWith('file:')) return specifier;
  return path.isAbsolute(specifier) ? pathToFileURL(specifier).href : undefined;
}

function ownerOf(url: string | undefined): PluginFolder | undefined {
  if (!url?.startsWith('file:')) return undefined;
  const file = fileURLToPath(url);
  let nearest: PluginFolder | undefined;
  for (const folder of folders)
    if (file.startsWith(folder.prefix) && folder.prefix.length > (nearest?.prefix.length ?? 0)) nearest = folder;
  return nearest ?? linkedFiles.get(url);
}

/**
 * A plugin that installed its own zod keeps it: its schemas may need that version. The SDK is always the host's, since
 * the two have to understand each other. Copies above the plugin's folder belong to others.
 */
function hasOwnCopy(specifier: string, importer: string | undefined, folder: PluginFolder): boolean {
  if (!specifier.startsWith('zod') || !importer) return false;
  let dir = path.dirname(fileURLToPath(importer));
  while (withSeparator(dir).startsWith(folder.prefix)) {
    if (existsSync(path.join(dir, 'node_modules', 'zod', 'package.json'))) return true;
    dir = path.dirname(dir);
  }
  return false;
}

function withSeparator(dir: string): string {
  return dir.endsWith(path.sep) ? dir : dir + path.sep;
}
