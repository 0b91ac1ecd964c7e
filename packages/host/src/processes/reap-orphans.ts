import { readdirSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@toolpost/protocol';
import { killMarkedProcesses, sendSignal } from './kill-processes.ts';
import { isRunning, type ProcessIdentity, pidSpace } from './process-identity.ts';
import { type RunFileHead, runDirectory } from './process-registry.ts';

/** A run file of another pid namespace or without a head says nothing; after a week nobody will miss it. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

interface RunFile {
  head: RunFileHead;
  processes: ProcessIdentity[];
}

/**
 * Kills what earlier hosts with this home directory left when they were killed themselves, and removes their run
 * files. A host that still runs keeps everything, and so does a process that only has the pid of an earlier one.
 * Several hosts may reap at once. Never rejects.
 * @returns how many processes were killed.
 */
export async function reapOrphans(homeDir: string): Promise<number> {
  const directory = runDirectory(homeDir);
  const names = namesIn(directory);
  const counts = await Promise.all(names.map((name) => reapRunFile(join(directory, name)).catch(() => 0)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Read at once: nearly always there is nothing, and a short command should not pay for finding out. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

async function reapRunFile(path: string): Promise<number> {
  const file = parseRunFile(await readFile(path, 'utf8'));
  const here = pidSpace();
  if (file === undefined || (file.head.boot === here.boot && file.head.namespace !== here.namespace)) {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > FORGOTTEN_AFTER_MS) await rm(path, { force: true });
    return 0;
  }
  if (file.head.boot !== here.boot) {
    await rm(path, { force: true });
    return 0;
  }
  if (isRunning(file.head.host)) return 0;
  const killed = await killLeftovers(file);
  await rm(path, { force: true });
  return killed;
}

async function killLeftovers({ head, processes }: RunFile): Promise<number> {
  const leaders = processes.filter(isRunning).map(({ pid }) => pid);
  const marked = await killMarkedProcesses([head.marker]);
  // Whoever cleared its environment is still in the group.
  for (const pid of leaders) sendSignal(-pid, 'SIGKILL');
  return new Set([...leaders, ...marked]).size;
}

/** A line that was cut when the host died is skipped. */
function parseRunFile(text: string): RunFile | undefined {
  const [head, ...processes] = text.split('\n').map(parseLine);
  if (!isRunFileHead(head)) return undefined;
  // A group id of 1 or below would name far more than one group.
  return { head, processes: processes.filter(isProcessIdentity).filter(({ pid }) => pid > 1) };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (!isJsonObject(value)) return false;
  const { pid, startTime } = value;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof startTime === 'number';
}

function isRunFileHead(value: unknown): value is RunFileHead {
  if (!isJsonObject(value) || !isProcessIdentity(value.host)) return false;
  const { boot, namespace, marker } = value;
  return typeof boot === 'string' && typeof namespace === 'string' && typeof marker === 'string' && marker.length > 8;
}
