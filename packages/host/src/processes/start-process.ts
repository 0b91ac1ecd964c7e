import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from './descendants.ts';
import { killMarkedProcesses, killTreeOnWindows, sendSignal } from './kill-processes.ts';
import { withLimitTag } from './limit-tag.ts';
import { MARKER_VARIABLE, markerValue, nextMarker } from './process-marker.ts';
import type { ProcessRegistry } from './process-registry.ts';
import { joinCommandLine } from './split-command-line.ts';
import { explainStartFailure } from './start-failure.ts';
import { resolveWindowsProgram, type WindowsProgram } from './windows-program.ts';

/** A killed process that does not end in this time hangs in the kernel, and nobody can end it. */
const KILL_LIMIT_MS = 5000;
/** So soon after its leader's end a group's id cannot have gone to another process. */
const GROUP_ID_IS_FRESH_MS = 100;

export interface StartProcessOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the process; the marker is added. */
  env: Readonly<Record<string, string>>;
  /** Remembers the process for the next host, should this one be killed. */
  registry?: ProcessRegistry;
  /** A bash through which the program is started, so that also descendants without its environment are found (Linux). */
  bash?: string | undefined;
}

/** Exactly one of the two is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process in its own group, with three pipes. All its streams have an error listener from the start. */
export interface StartedProcess {
  readonly pid: number;
  /** As a person would type it, for messages. */
  readonly commandLine: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once, when the process itself has ended; its descendants may live. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when its output has been read to the end. A descendant that holds a pipe keeps it open. */
  readonly drained: Promise<void>;
  /** Asks the group to end (SIGTERM), and kills what is left after `graceMs`. */
  terminate(graceMs: number): Promise<void>;
  /** Kills the group and all descendants, also those that left it. Resolves when none is left; may be called twice. */
  kill(): Promise<void>;
}

/**
 * Starts a program without a shell, in a process group of its own.
 * @throws Error that names the program, where it was looked for, and the remedy.
 */
export async function startProcess(options: StartProcessOptions): Promise<StartedProcess> {
  const { command, args, cwd, env, registry } = options;
  const marker = nextMarker();
  const child = await spawnWithMarker(options, marker).catch((error: unknown) => {
    throw explainStartFailure(error, { command, cwd, path: env.PATH ?? env.Path });
  });
  const exited = exitOf(child);
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const pid = child.pid ?? 0;
  registry?.add(pid);
  const { kill, terminate } = createKiller({ pid, marker, exited, onGone: () => registry?.delete(pid) });
  const { stdin, stdout, stderr } = child;
  return {
    pid,
    commandLine: joinCommandLine([command, ...args]),
    stdin,
    stdout,
    stderr,
    exited,
    drained,
    kill,
    terminate,
  };
}

/** Resolves before any event of the running process can come. */
function spawnWithMarker(options: StartProcessOptions, marker: string): Promise<ChildProcessWithoutNullStreams> {
  const { cwd, env } = options;
  const value = markerValue(marker, process.env[MARKER_VARIABLE]);
  return new Promise((resolve, reject) => {
    const { command, args, isVerbatim } = programOf(options, marker);
    const child = spawn(command, args, {
      cwd,
      env: { ...env, [MARKER_VARIABLE]: value },
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    });
    child.on('error', reject);
    // A process that ends closes its pipes under our writes (EPIPE, ECONNRESET); `exited` tells about it. Out of file
    // descriptors there are no streams.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', ignore);
    if (child.pid !== undefined) resolve(child);
  });
}

function programOf({ command, args, cwd, env, bash }: StartProcessOptions, marker: string): WindowsProgram {
  if (process.platform === 'win32') return resolveWindowsProgram({ command, args, cwd, env });
  const program = bash === undefined ? { command, args } : withLimitTag({ command, args }, bash, marker);
  return { command: program.command, args: [...program.args], isVerbatim: false };
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<ProcessExit> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

function ignore(): void {}

interface KillerOptions {
  pid: number;
  marker: string;
  exited: Promise<ProcessExit>;
  onGone(): void;
}

function createKiller(options: KillerOptions): Pick<StartedProcess, 'kill' | 'terminate'> {
  const { pid, marker, exited, onGone } = options;
  let exitedAt: number | undefined;
  let killed: Promise<void> | undefined;
  void exited.then(() => {
    exitedAt = performance.now();
  });

  const signalGroup = (signal: NodeJS.Signals): void => {
    if (exitedAt === undefined || performance.now() - exitedAt < GROUP_ID_IS_FRESH_MS) sendSignal(-pid, signal);
  };

  const killAll = async (): Promise<void> => {
    if (process.platform === 'win32') await killTreeOnWindows(pid);
    const family = exitedAt === undefined ? descendantsOf(pid) : [];
    signalGroup('SIGKILL');
    for (const member of family) sendSignal(member, 'SIGKILL');
    await Promise.race([exited, sleep(KILL_LIMIT_MS, undefined, { ref: false })]);
    await killMarkedProcesses([marker], { dying: family, since: pid });
    onGone();
  };

  const kill = (): Promise<void> => {
    killed ??= killAll();
    return killed;
  };

  return {
    kill,
    async terminate(graceMs) {
      signalGroup('SIGTERM');
      const abort = new AbortController();
      const grace = sleep(graceMs, undefined, { signal: abort.signal }).catch(() => {});
      await Promise.race([exited, grace]);
      abort.abort();
      await kill();
    },
  };
}
