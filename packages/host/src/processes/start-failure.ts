import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@toolpost/protocol';

export interface StartAttempt {
  command: string;
  cwd: string;
  /** The PATH that was searched. */
  path: string | undefined;
}

/** An error of `spawn` in words: what could not be started, where it was looked for, and what to do. */
export function explainStartFailure(error: unknown, attempt: StartAttempt): Error {
  return new Error(describe(codeOf(error), error, attempt), { cause: error });
}

function describe(code: string | undefined, error: unknown, { command, cwd, path }: StartAttempt): string {
  if ((code === 'ENOENT' || code === 'ENOTDIR') && !isFolder(cwd)) {
    return `cannot start ${command}: its folder ${cwd} ${isFile(cwd) ? 'is a file' : 'does not exist'}`;
  }
  if (code === 'ENOENT' && /[/\\]/.test(command)) {
    return `cannot start ${command}: there is no such file, or the interpreter in its first line is missing`;
  }
  if (code === 'ENOENT' && isFile(join(cwd, command))) {
    return `cannot start ${command}: no program of this name on the PATH. Write ./${command} for the file in ${cwd}`;
  }
  if (code === 'ENOENT') {
    return `cannot start ${command}: no program of this name on the PATH (${path ?? 'which is empty'}). Install it, or name it by its full path`;
  }
  if (code === 'EACCES')
    return `cannot start ${command}: it is not executable. Run chmod +x on it, or start it through its interpreter`;
  if (code === 'E2BIG') return `cannot start ${command}: its arguments and environment are too long`;
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') {
    return `cannot start ${command}: the system has run out of processes, open files or memory (${code})`;
  }
  return `cannot start ${command}: ${messageOf(error)}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function isFolder(path: string): boolean {
  return kindOf(path)?.isDirectory() === true;
}

function isFile(path: string): boolean {
  return kindOf(path)?.isFile() === true;
}

function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // It cannot be looked at, so that nothing is known.
    return undefined;
  }
}
