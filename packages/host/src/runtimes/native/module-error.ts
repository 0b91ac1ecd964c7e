import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError } from '@toolpost/protocol';
import { lastReachedFile } from './plugin-modules.ts';

/** What kept a plugin's module from loading: the file and line where it is known, the reason, and what to do. */
export function moduleError(file: string, pluginId: string, error: unknown): HostError {
  return new HostError('PLUGIN_LOAD_FAILED', `${pluginId}: ${describe(file, error)}`, { cause: error, pluginId });
}

function describe(file: string, error: unknown): string {
  if (!(error instanceof Error)) return `${file} cannot be loaded: it threw ${String(error)}`;
  const text = error.message.trim();
  const place = placeOf(error) ?? placeOfSyntaxError(error) ?? file;
  switch (Reflect.get(error, 'code')) {
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return `${namedFile(text) ?? file} is TypeScript inside a node_modules folder, where it does not run: npm packages ship JavaScript, so compile it before it is packed`;
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `${place}: ${text}. Types are only stripped: write it in syntax that can be erased, such as an object or a union in place of an enum`;
    case 'ERR_MODULE_NOT_FOUND':
    case 'MODULE_NOT_FOUND':
      return `${text.split('\n', 1)[0]}. Correct the import, or install the plugin's packages (npm install in ${path.dirname(file)})`;
    default:
      return `${place} cannot be loaded: ${text}`;
  }
}

/** TypeScript's syntax errors start their stack with `FILE:LINE`; what a module throws has frames. */
function placeOf(error: Error): string | undefined {
  const stack = error.stack ?? '';
  const frame = /^ +at (?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\)[^\n]*?:\d+):\d+\)?$/m;
  const place = (/^(.+:\d+)\n/.exec(stack) ?? (error instanceof SyntaxError ? null : frame.exec(stack)))?.[1];
  return place === undefined ? undefined : asPath(place);
}

/**
 * V8's syntax errors do not say where: Node adds the place only when it prints one. So it is asked to, without running
 * anything.
 */
function placeOfSyntaxError(error: Error): string | undefined {
  const file = lastReachedFile();
  if (!(error instanceof SyntaxError) || file === '') return undefined;
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  const place = /^(.+:\d+)\n/.exec(stderr)?.[1];
  return place === undefined ? file : asPath(place);
}

function namedFile(text: string): string | undefined {
  const named = /"([^"\n]+)"/.exec(text)?.[1];
  return named === undefined ? undefined : asPath(named);
}

/** Stacks name ES modules by URL, with the line behind it. */
function asPath(place: string): string {
  if (!place.startsWith('file:')) return place;
  const [, url = place, line = ''] = /^(.*?)(:\d+)?$/.exec(place) ?? [];
  return fileURLToPath(url) + line;
}
