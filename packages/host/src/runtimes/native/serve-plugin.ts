// Serves a native plugin over stdio, started as `node serve-plugin.js DIR_OR_FILE`: a project's TypeScript runs this
// way, in a process of its own, and not with the host.
import { Console } from 'node:console';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '@toolpost/protocol';
import { errorMessage, type Plugin, readExports, serveStdio } from '@toolpost/sdk';
import { findEntry } from './find-entry.ts';
import { importModule } from './import-module.ts';
import { defaultPluginModules, offerModules } from './plugin-modules.ts';

// Standard output belongs to the protocol, also while the plugin's module is loaded.
globalThis.console = new Console(process.stderr);

try {
  await serveStdio(await loadPlugin(process.argv[2] ?? '.'));
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}

async function loadPlugin(target: string): Promise<Plugin> {
  const start = realpathSync(target);
  const isFolder = statSync(start).isDirectory();
  const id = isFolder ? path.basename(start) : path.parse(start).name;
  offerModules(isFolder ? start : path.dirname(start), defaultPluginModules());
  const file = isFolder ? findEntry(start, readEntry(start), id) : start;
  return readExports(await importModule(file, id), file, id);
}

/** The host has checked the manifest before it starts us. */
function readEntry(dir: string): string | undefined {
  const manifest: unknown = JSON.parse(readFileSync(path.join(dir, 'plugin.json'), 'utf8'));
  return isJsonObject(manifest) && typeof manifest.entry === 'string' ? manifest.entry : undefined;
}
