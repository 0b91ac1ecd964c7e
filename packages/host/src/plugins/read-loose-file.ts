import { realpathSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { HostError, messageOf, parseManifest } from '@toolpost/protocol';
import type { PluginOrigin } from '../runtimes/runtime.ts';
import type { PluginReading } from './plugin-reading.ts';

/** The loose files that are a plugin each, best first: beside a TypeScript file lies what was compiled from it. */
const TOOL_EXTENSIONS = ['.ts', '.js', '.py'];
/** Declarations, tests, set-up, and the Python SDK, which authors keep a copy of beside their tools. */
const NO_TOOL = /^[._]|\.d\.ts$|[._](?:test|spec|config)\.\w+$|^toolpost\.py$/;

/** The `NAME.{ts,js,py}` files among the names of a folder, the better one first where two have one NAME. */
export function toolFilesIn(names: readonly string[]): string[] {
  const rank = (name: string) => TOOL_EXTENSIONS.indexOf(extname(name));
  return names.filter((name) => rank(name) >= 0 && !NO_TOOL.test(name)).sort((a, b) => rank(a) - rank(b));
}

/** The lone WebAssembly components among the names of a folder. */
export function componentFilesIn(names: readonly string[]): string[] {
  return names.filter((name) => extname(name) === '.wasm' && !name.startsWith('.'));
}

/** Why a file that was named is no plugin; undefined when it may be one. */
export function looseFileProblem(name: string): string | undefined {
  if (toolFilesIn([name]).length + componentFilesIn([name]).length > 0) return undefined;
  return NO_TOOL.test(name)
    ? 'is no tool: declarations, tests, settings, toolpost.py, and names that begin with . or _ are passed over'
    : 'is no plugin: a single file is one when it is NAME.ts, NAME.js, NAME.py or NAME.wasm; any other program needs a folder with a plugin.json';
}

/** A single file as a plugin: its id is its name without the ending, and all it may do is register tools. */
export function readLooseFile(path: string, origin: PluginOrigin): PluginReading {
  const file = realpathSync.native(path);
  const dir = dirname(file);
  const id = basename(path, extname(path));
  try {
    const { manifest } = parseManifest({
      id,
      version: '0.0.0',
      permissions: ['tools.register'],
      ...programOf(basename(file), extname(path)),
    });
    return { plugin: { id, dir, manifest, origin, file }, warnings: [] };
  } catch (error) {
    const reason = messageOf(error);
    const message = `${file}: the name of the file is the id of the plugin: ${reason}`;
    const broken = new HostError('MANIFEST_INVALID', message, { cause: error });
    return { problem: { dir, file, origin, error: broken, toolNames: [] } };
  }
}

function programOf(name: string, extension: string): Record<string, unknown> {
  if (extension === '.py') return { runtime: 'stdio', executable: 'python3', args: [name] };
  return { runtime: extension === '.wasm' ? 'wasm' : 'native', entry: name };
}
