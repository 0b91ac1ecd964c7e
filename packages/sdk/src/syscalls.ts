import type { ChildProcess } from 'node:child_process';
import { type OutputStream, spawnText } from '@toolpost/protocol';
import type { ToolCallContext } from './tool-call-context.ts';

const KILL_GRACE_MS = 1000;
/** After the shell's exit, a program in the background may hold the pipes open: it counts as done when it is silent. */
const QUIET_MS = 250;
const MAX_QUIET_WAIT_MS = 5000;
const MAX_STREAM_BYTES = 16 * 1024 * 1024;

/** Where and how a command runs. The context of a call fits: its first root, its abort, its output. */
export interface SpawnOptions {
  /** Default: the first root, else the process's own directory. */
  cwd?: string;
  roots?: readonly string[];
  abortSignal?: AbortSignal;
  /** Gets the output while the command runs. */
  output?(text: string, stream?: OutputStream): void;
}

/** What plugins may ask of the system (seed B: syscalls). */
export const syscalls = {
  /**
   * Runs a command line with `sh -c` and waits for it. Gives `Exit code: N`, `Stdout:` and `Stderr:` with their lines;
   * a non-zero exit is not an error, and the code of a command that a signal ended is -1. An abort kills the command
   * and all that it started.
   * @throws Error when it cannot be started, the abort's reason when it is aborted.
   */
  spawn(command: string, options: SpawnOptions = {}): Promise<string> {
    return runShell(command, options);
  },

  /** Writes to the plugin's log: that of the call's context, else stderr. */
  log(message: string, context?: Pick<ToolCallContext, 'log'>): void {
    if (context) context.log(message);
    else process.stderr.write(`${message}\n`);
  },
};

async function runShell(command: string, options: SpawnOptions): Promise<string> {
  const { cwd, roots, abortSignal } = options;
  const directory = cwd ?? roots?.[0];
  // Loaded when used: it would cost every start of a plugin more than the rest of this package.
  const { spawn: spawnProcess } = await import('node:child_process');
  abortSignal?.throwIfAborted();
  const child = spawnProcess('sh', ['-c', command], {
    ...(directory !== undefined && { cwd: directory }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that an abort reaches what the shell started.
    detached: process.platform !== 'win32',
  });
  const stdout = collect(child, 'stdout', options);
  const stderr = collect(child, 'stderr', options);
  const stopWatching = killOnAbort(child, abortSignal);
  try {
    const code = await exitOf(child, command, directory);
    abortSignal?.throwIfAborted();
    return spawnText({ exitCode: code, stdout: stdout.text(), stderr: stderr.text() });
  } finally {
    stopWatching();
  }
}

interface Collected {
  text(): string;
}

function collect(child: ChildProcess, name: OutputStream, options: SpawnOptions): Collected {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  child[name]?.on('data', (chunk: Uint8Array) => {
    const piece = decoder.decode(chunk, { stream: true });
    if (piece !== '') options.output?.(piece, name);
    bytes += chunk.length;
    if (bytes <= MAX_STREAM_BYTES) text += piece;
  });
  return {
    text() {
      const whole = text + decoder.decode();
      return bytes <= MAX_STREAM_BYTES ? whole : `${whole}\n[${bytes} bytes in all, the rest was dropped]\n`;
    },
  };
}

function exitOf(child: ChildProcess, command: string, directory: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const place = directory === undefined ? '' : ` in ${directory}`;
      reject(new Error(`cannot start sh -c ${JSON.stringify(command)}${place}: ${error.message}`, { cause: error }));
    });
    child.once('exit', (code) => void untilQuiet(child).then(() => resolve(code ?? -1)));
  });
}

/** Waits for the rest of the output: until the pipes close, or whoever still holds them says nothing. */
function untilQuiet(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const streams = [child.stdout, child.stderr];
    const end = (): void => {
      clearTimeout(limit);
      clearTimeout(quiet);
      for (const stream of streams) stream?.off('data', rearm);
      resolve();
    };
    const rearm = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(end, QUIET_MS);
    };
    const limit = setTimeout(end, MAX_QUIET_WAIT_MS);
    let quiet = setTimeout(end, QUIET_MS);
    for (const stream of streams) stream?.on('data', rearm);
    child.once('close', end);
  });
}

function killOnAbort(child: ChildProcess, abortSignal: AbortSignal | undefined): () => void {
  let timer: NodeJS.Timeout | undefined;
  const abort = (): void => {
    killGroup(child, 'SIGTERM');
    timer = setTimeout(killGroup, KILL_GRACE_MS, child, 'SIGKILL');
  };
  abortSignal?.addEventListener('abort', abort, { once: true });
  return () => {
    clearTimeout(timer);
    abortSignal?.removeEventListener('abort', abort);
    if (abortSignal?.aborted) killGroup(child, 'SIGKILL');
  };
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}
