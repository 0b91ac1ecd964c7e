import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from './confine-path.ts';

const FLAGS = [
  ...['--no-config', '--files-with-matches', '--null', '--color=never', '--no-messages'],
  // Every byte of every file that is named: which files those are is decided before, which lines match afterwards.
  ...['--no-ignore', '--hidden', '--text', '--encoding=none', '--fixed-strings'],
];
/** Below the smallest limits of a command line (Windows: 32 KB), and few enough to answer soon. */
const MAX_ARGUMENT_CHARACTERS = process.platform === 'win32' ? 24_000 : 100_000;
const MAX_FILES = 1000;
const TIME_LIMIT_MS = 10_000;
/** In a file, such a character may stand for bytes that could not be decoded. */
const UNDECODED = '\ufffd';

export interface TextSearch {
  /** The program. */
  ripgrep: string;
  literal: string;
  isInsensitive: boolean;
}

/**
 * Of `files`, those that hold the literal, as ripgrep finds them, in the same order. Never one too few: where ripgrep
 * and JavaScript could disagree, or something fails, all are passed on. So the results are the same with and without it.
 */
export function* filesWithText(
  files: Iterable<string | undefined>,
  search: TextSearch,
): Generator<string | undefined, void> {
  if (!isUsable(search)) return yield* files;
  let batch: string[] = [];
  let characters = 0;
  for (const file of files) {
    if (file === undefined) {
      yield file;
      continue;
    }
    batch.push(file);
    characters += file.length + 1;
    if (batch.length < MAX_FILES && characters < MAX_ARGUMENT_CHARACTERS) continue;
    yield* shortlist(batch, search);
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield* shortlist(batch, search);
}

/** Upper and lower case are the same everywhere only for ASCII. */
function isUsable({ literal, isInsensitive }: TextSearch): boolean {
  if (literal.length < 2 || literal.includes(UNDECODED)) return false;
  return !isInsensitive || /^[\x20-\x7e]+$/.test(literal);
}

function shortlist(files: readonly string[], { ripgrep, literal, isInsensitive }: TextSearch): readonly string[] {
  const more = isInsensitive ? ['--ignore-case'] : ['--case-sensitive'];
  const { status, stdout } = spawnSync(ripgrep, [...FLAGS, ...more, '-e', literal, '--', ...files], {
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  // 0: found, 1: found none. Else a file could not be read, which our own search counts.
  if (status !== 0 && status !== 1) return files;
  const found = new Set(stdout.split('\0'));
  return files.filter((file) => found.has(file));
}

/**
 * ripgrep's program, from a PATH as the host has it. A folder that is relative or inside a root is passed over: whoever
 * writes to a project must not choose what the host runs.
 */
export function findRipgrep(path: string, roots: readonly string[]): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const directory of path.split(delimiter)) {
    const program = join(directory, name);
    if (!isAbsolute(directory) || !existsSync(program)) continue;
    const real = realpathSync(program);
    if (!roots.some((root) => isInside(root, real) || isInside(root, program))) return program;
  }
  return undefined;
}
