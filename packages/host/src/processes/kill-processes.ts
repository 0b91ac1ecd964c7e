import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.ts';
import { findMarkedProcesses } from './process-marker.ts';

/** A killed process is gone within a millisecond or two; a fork in between shows up in the next round. */
const MAX_ROUNDS = 120;
const LONGEST_PAUSE_MS = 25;

/** Sends a signal to a process, or to a group when the id is negative. Whether there was one to get it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: gone already. EPERM: it changed its user and is out of reach.
    return false;
  }
}

/**
 * Kills what carries one of the markers until a look finds none, about three seconds at most. A process that is dying
 * has no environment any more: those that were met, and the `dying` that were killed before, are waited for by their pid.
 * `since` is the process that all carriers descend from, where there is one.
 * @returns the processes it met.
 */
export async function killMarkedProcesses(
  markers: readonly string[],
  { dying = [], since = 0 }: { dying?: readonly number[]; since?: number } = {},
): Promise<ReadonlySet<number>> {
  const met = new Set<number>();
  // What took another user cannot be killed, and is not waited for.
  const leaving = dying.filter((pid) => sendSignal(pid, 'SIGKILL'));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await findMarkedProcesses(markers, since);
    const killed = found.filter((pid) => sendSignal(pid, 'SIGKILL'));
    for (const pid of killed) met.add(pid);
    if (killed.length === 0 && ![...met, ...leaving].some(isAlive)) break;
    await sleep(Math.min(round, LONGEST_PAUSE_MS));
  }
  return met;
}

/** Windows has no groups: its own tool follows the parents. */
export function killTreeOnWindows(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}
