import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { hasLimitTag } from './limit-tag.ts';

/** Every process that the host starts carries this variable, and so does what it starts in turn. */
export const MARKER_VARIABLE = 'TOOLPOST_PROCESS';
/** Reading /proc is synchronous; so many processes take about a millisecond. */
const PROCESSES_PER_TURN = 64;

let marker: string | undefined;
let startedProcesses = 0;

/** All markers of this host process start with it. The dots at both ends keep `1` from being found in `12`. */
export function hostMarker(): string {
  marker ??= `.${randomBytes(9).toString('hex')}.`;
  return marker;
}

/** A marker for one more process: unique on this machine, and found by searching for `hostMarker` too. */
export function nextMarker(): string {
  return `${hostMarker()}${++startedProcesses}.`;
}

/**
 * The value of the variable. A host that was itself started by a host keeps the outer marker, so that the outer one
 * still finds everything when it kills the inner one.
 */
export function markerValue(marker: string, outer: string | undefined): string {
  return outer === undefined ? marker : `${outer}${marker}`;
}

/**
 * The processes with one of these markers in their first environment, or in their limits where the environment was
 * cleared, wherever `setsid` or a double fork moved them. Only Linux shows it (/proc); elsewhere the list is empty. Ended
 * ones that nobody waited for have no environment. `since` is the process that the markers are of: what is older needs
 * no second look.
 */
export async function findMarkedProcesses(markers: readonly string[], since = 0): Promise<number[]> {
  const found: number[] = [];
  const mayBeYounger = youngerThan(since);
  let seen = 0;
  for (const pid of otherProcesses()) {
    if (hasMarker(pid, markers) ?? (mayBeYounger(pid) && hasLimitTag(pid, markers))) found.push(pid);
    if (++seen % PROCESSES_PER_TURN === 0) await setImmediate();
  }
  return found;
}

/** The same in one go, for when the event loop has ended. */
export function findMarkedProcessesNow(markers: readonly string[]): number[] {
  return otherProcesses().filter((pid) => hasMarker(pid, markers) ?? hasLimitTag(pid, markers));
}

function otherProcesses(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
}

/** Pids are given out in a circle: from `since` to the last one that was given. */
function youngerThan(since: number): (pid: number) => boolean {
  const last = since > 0 ? lastPid() : undefined;
  if (last === undefined) return () => true;
  return last >= since ? (pid) => pid >= since && pid <= last : (pid) => pid >= since || pid <= last;
}

function lastPid(): number | undefined {
  try {
    const last = Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
    return last > 0 ? last : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when its environment, which may have been cleared, says nothing. */
function hasMarker(pid: number, markers: readonly string[]): boolean | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    if (!environment.includes(MARKER_VARIABLE)) return undefined;
    return markers.some((marker) => environment.includes(marker));
  } catch {
    // It ended meanwhile, or belongs to another user.
    return undefined;
  }
}
