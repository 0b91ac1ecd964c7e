import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatDuration, type Manifest, messageOf } from '@toolpost/protocol';
import { checkPluginFolder } from '../check-plugin-folder.ts';
import { findEntry } from '../runtimes/native/find-entry.ts';
import { type Componentizer, loadBuildTools } from './build-tools.ts';
import { bundlePlugin } from './bundle-plugin.ts';
import { ComponentBuildError } from './component-build-error.ts';
import { componentFiles, withComponentWit } from './component-files.ts';
import { componentManifest, parseManifestText } from './component-manifest.ts';

const WORLD = 'component';
/** It takes seconds; a module that never ends at its top would take for ever. */
const BUILD_TIMEOUT_MS = 2 * 60_000;

export interface BuildComponentOptions {
  /** DIR/dist when absent. */
  readonly outDir?: string;
  readonly timeoutMs?: number;
}

export interface BuiltComponent {
  readonly id: string;
  /** The component; a plugin already when it lies alone in a plugins folder. */
  readonly file: string;
  /** Its folder, with a plugin.json: a plugin as it is. */
  readonly dir: string;
  readonly warnings: readonly string[];
}

/**
 * Makes a WebAssembly component of a native plugin: `DIR/dist/ID.wasm` and `DIR/dist/plugin.json`, or in `outDir`.
 * @throws ComponentBuildError that names the file and what to do.
 */
export async function buildComponent(pluginDir: string, options: BuildComponentOptions = {}): Promise<BuiltComponent> {
  const { outDir, timeoutMs = BUILD_TIMEOUT_MS } = options;
  const { dir, manifest, warnings } = readSource(pluginDir);
  const { id } = manifest;
  const target = path.resolve(outDir ?? path.join(dir, 'dist'));
  assertKeepsSource(target, dir);
  const entry = findSource(dir, manifest);
  const { bundler, componentizer } = await loadBuildTools(dir);
  const { modules, witDir } = componentFiles();
  const source = await bundlePlugin(bundler, { entry, pluginId: id, modules });
  const bytes = await withComponentWit(witDir, (witPath) =>
    componentize(componentizer, { witPath, source, entry, timeoutMs }),
  );

  await mkdir(target, { recursive: true });
  const file = path.join(target, `${id}.wasm`);
  await writeWhole(file, bytes);
  const written = componentManifest(
    parseManifestText(await readFile(path.join(dir, 'plugin.json'), 'utf8')),
    `${id}.wasm`,
  );
  await writeWhole(path.join(target, 'plugin.json'), `${JSON.stringify(written, null, 2)}\n`);
  return { id, file, dir: target, warnings };
}

/** The component has a plugin.json of its own, which must not take the place of that of the source. */
function assertKeepsSource(target: string, dir: string): void {
  if (existsSync(target) && realpathSync(target) === realpathSync(dir))
    throw new ComponentBuildError(
      `${target} is the folder of the source, whose plugin.json would be lost: write to another one`,
    );
}

function readSource(pluginDir: string): { dir: string; manifest: Manifest; warnings: readonly string[] } {
  const { dir, manifest, problems, warnings } = checkPluginFolder(pluginDir);
  if (!manifest || problems.length > 0) {
    throw new ComponentBuildError(`${dir} is no plugin that can be built: ${problems.join('; ')}`);
  }
  if (manifest.runtime !== 'native') {
    throw new ComponentBuildError(
      `${dir} is a plugin of runtime "${manifest.runtime}"; toolpost build makes a component of a native one, written in TypeScript or JavaScript`,
    );
  }
  return { dir, manifest, warnings };
}

function findSource(dir: string, { id, entry }: Manifest): string {
  try {
    return findEntry(dir, entry, id);
  } catch (error) {
    throw new ComponentBuildError(messageOf(error), { cause: error });
  }
}

/** The source is run once while the component is made, so that what its modules throw is told here. */
async function componentize(
  { componentize: run }: Componentizer,
  { witPath, source, entry, timeoutMs }: { witPath: string; source: string; entry: string; timeoutMs: number },
): Promise<Uint8Array> {
  const expired = Promise.withResolvers<never>();
  const tooLong = `it was not done within ${formatDuration(timeoutMs)}: does a module wait or loop while it is loaded?`;
  const timer = setTimeout(() => expired.reject(new Error(tooLong)), timeoutMs);
  try {
    const building = run({ witPath, jsSource: source, world: WORLD, sync: true });
    const { component } = await Promise.race([building, expired.promise]);
    return component;
  } catch (error) {
    const message = messageOf(error);
    throw new ComponentBuildError(`${entry} cannot become a component: ${reasonIn(message)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** What the plugin's own modules threw, without the steps of the tool before it and QuickJS's places behind it. */
function reasonIn(message: string): string {
  const [reason = ''] = message.split(/\n\s+at /);
  return reason.trim().replace(/^(?:: )?Failed to evaluate user JavaScript module: (?:Failed to [^:]*: )*/, '');
}

/** Who reads the file meanwhile sees the old one or the new one. */
async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await writeFile(draft, content);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
