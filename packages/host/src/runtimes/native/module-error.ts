import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError } from '@toolpost/protocol';
import { fileMeantBy } from './file-meant-by.ts';
import { isFileOfPlugin, lastReachedFile } from './plugin-modules.ts';

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
    case 'ERR_UNSUPPORTED_DIR_IMPORT':
    case 'MODULE_NOT_FOUND':
      return describeNotFound(file, text);
    default:
      return `${place} cannot be loaded: ${text}`;
  }
}

/** A package is missing, or a file: that one was often meant is there under a longer name. */
function describeNotFound(file: string, text: string): string {
  const [reason = text] = text.split('\n', 1);
  const meant = fileMeantBy(text);
  if (!meant)
    return `${reason}. Correct the import, or install the plugin's packages (npm install in ${path.dirname(file)})`;
  const { importer, written, found } = meant;
  const remedy = found === undefined ? 'correct the import' : `write '${found}', an import names the whole file`;
  return `${importer} imports ${written}, which does not exist: ${remedy}`;
}

const FRAME = /^ +at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\)[^\n]*?):(\d+):\d+\)?$/gm;

/**
 * TypeScript's syntax errors start their stack with `FILE:LINE`; what a module throws has frames. Those of the host and of
 * packages tell the author nothing: the first one of the plugin's own files counts.
 */
function placeOf(error: Error): string | undefined {
  const stack = error.stack ?? '';
  const [, named] = /^(.+:\d+)\n/.exec(stack) ?? [];
  if (named !== undefined) return asPath(named);
  if (error instanceof SyntaxError) return undefined;
  const frames = [...stack.matchAll(FRAME)].map(([, place = '', line]) => ({ file: asPath(place), line }));
  const ofPlugin = frames.filter(({ file }) => isFileOfPlugin(file));
  const own = ofPlugin.find(({ file }) => !file.split(path.sep).includes('node_modules')) ?? ofPlugin[0];
  return own && `${own.file}:${own.line}`;
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
