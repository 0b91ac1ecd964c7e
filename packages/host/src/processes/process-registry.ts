import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendSignal } from './kill-processes.ts';
import { identify, type ProcessIdentity, pidSpace } from './process-identity.ts';
import { findMarkedProcessesNow, hostMarker } from './process-marker.ts';

/** The first line of a run file. The host holds the file as long as it has processes. */
export interface RunFileHead {
  readonly host: ProcessIdentity;
  readonly boot: string;
  readonly namespace: string;
  /** Found in the environment of everything that this host started. */
  readonly marker: string;
}

/** What this host has running, on disk for the next host in case this one is killed. */
export interface ProcessRegistry {
  add(pid: number): void;
  delete(pid: number): void;
}

const registries = new Map<string, ProcessRegistry>();
/** Everything that runs, in whatever home directory it is recorded. */
const running = new Set<number>();

/** The folder of the run files. */
export function runDirectory(homeDir: string): string {
  return join(homeDir, 'run');
}

/**
 * This host's registry in a home directory. A start costs one appended line, without a flush to the disk: a killed
 * host leaves its page cache behind. When the host exits by itself, what still runs is killed on the way.
 */
export function processRegistryOf(homeDir: string): ProcessRegistry {
  const known = registries.get(homeDir);
  if (known) return known;
  const registry = createProcessRegistry(homeDir);
  registries.set(homeDir, registry);
  return registry;
}

function createProcessRegistry(homeDir: string): ProcessRegistry {
  const recorded = new Set<number>();
  let path: string | undefined;

  return {
    add(pid) {
      if (running.size === 0) process.on('exit', killRunning);
      running.add(pid);
      recorded.add(pid);
      try {
        path ??= createRunFile(homeDir);
        const identity = identify(pid);
        if (identity) appendFileSync(path, `${JSON.stringify(identity)}\n`);
      } catch {
        // A home that cannot be written loses the reaping after a kill -9, not the plugin.
      }
    },
    delete(pid) {
      if (running.delete(pid) && running.size === 0) process.off('exit', killRunning);
      if (!recorded.delete(pid) || recorded.size > 0 || path === undefined) return;
      rmSync(path, { force: true });
      path = undefined;
    },
  };
}

function killRunning(): void {
  for (const pid of running) sendSignal(-pid, 'SIGKILL');
  for (const pid of findMarkedProcessesNow([hostMarker()])) sendSignal(pid, 'SIGKILL');
}

function createRunFile(homeDir: string): string {
  const host = identify(process.pid) ?? { pid: process.pid, startTime: 0 };
  const head: RunFileHead = { host, ...pidSpace(), marker: hostMarker() };
  const directory = runDirectory(homeDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${host.pid}-${host.startTime}.jsonl`);
  writeFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  return path;
}
