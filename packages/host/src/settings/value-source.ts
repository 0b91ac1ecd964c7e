import { constants, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isJsonObject, quoteValue } from '@toolpost/protocol';

/** Where a setting's value is, instead of the value itself. */
export type ValueSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'cmd'; readonly argv: readonly string[] };

export interface SourcePlace {
  /** Where relative paths start, and commands run. */
  readonly homeDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const MAX_BYTES = 64 * 1024;
const IN_WORDS = '{"env": "NAME"}, {"file": "PATH"} or {"cmd": ["PROGRAM", "ARGUMENT"]}';

/**
 * What a setting names as its source: `{"env": "NAME"}`, `{"file": "PATH"}` and `{"cmd": [...]}`, and for a secret also the
 * texts `env:NAME`, `file:PATH` and `cmd:[...]`. Undefined for a plain value.
 * @throws Error for what was meant as a source and is none.
 */
export function valueSourceOf(value: unknown, isSecret: boolean): ValueSource | undefined {
  if (typeof value === 'string') return isSecret ? sourceInText(value) : undefined;
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const [kind = ''] = keys;
  if (keys.length !== 1 || !['env', 'file', 'cmd'].includes(kind)) return undefined;
  return toSource(kind, value[kind]);
}

function sourceInText(text: string): ValueSource | undefined {
  const [, kind = '', rest = ''] = /^(env|file|cmd):(.*)$/s.exec(text) ?? [];
  if (kind === '') return undefined;
  return toSource(kind, kind === 'cmd' ? parsed(rest) : rest);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toSource(kind: string, given: unknown): ValueSource {
  const isText = typeof given === 'string' && given !== '';
  if (kind === 'env' && isText) return { kind, name: given };
  if (kind === 'file' && isText) return { kind, path: given };
  if (kind === 'cmd' && isArgv(given)) return { kind, argv: given };
  throw new Error(
    `found ${quoteValue({ [kind]: given })}, expected ${IN_WORDS}; a command is a list, as no shell runs it`,
  );
}

function isArgv(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every((part) => typeof part === 'string');
}

/**
 * Reads a value, without the line end that files and programs put behind it.
 * @throws Error that says why there is none, without quoting what was read.
 */
export async function readValue(source: ValueSource, place: SourcePlace): Promise<string> {
  const value = await readSource(source, place);
  if (value === '') throw new Error(`${describe(source)} gives an empty text`);
  return value;
}

async function readSource(source: ValueSource, place: SourcePlace): Promise<string> {
  if (source.kind === 'file') return withoutLineEnd(await readSmallFile(pathOf(source.path, place.homeDir)));
  if (source.kind === 'cmd') {
    // What starts processes loads when it is used.
    const { runForText } = await import('./run-for-text.ts');
    return withoutLineEnd(await runForText(source.argv, { ...place, maxBytes: MAX_BYTES }));
  }
  const value = place.environment[source.name];
  if (value === undefined) throw new Error(`the variable ${source.name} is not set`);
  return value;
}

function describe(source: ValueSource): string {
  if (source.kind === 'env') return `the variable ${source.name}`;
  return source.kind === 'file' ? `the file ${source.path}` : `the command ${source.argv[0]}`;
}

function pathOf(path: string, homeDir: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(homeDir, path);
}

async function readSmallFile(path: string): Promise<string> {
  try {
    // Without O_NONBLOCK a pipe without a writer is waited for right here.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error('it is no file');
      if (found.size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`the file ${path} cannot be read: ${code ?? message}`, { cause: error });
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
