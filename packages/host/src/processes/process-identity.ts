import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** `ps` shows whole seconds, and a process is recorded a moment after it started. */
const PS_TOLERANCE_MS = 2500;
/** Fields of /proc/PID/stat behind the name in parentheses, which may itself hold blanks and parentheses. */
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: ticks since boot; elsewhere: milliseconds since 1970. */
  readonly startTime: number;
}

/** The identity of a process that runs now. On Linux undefined when it has ended. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') {
    const ageMs = pid === process.pid ? process.uptime() * 1000 : 0;
    return { pid, startTime: Math.round(Date.now() - ageMs) };
  }
  const startTime = startTimeFromProc(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Whether exactly this process still runs. One that ended and was not waited for does not. */
export function isRunning(identity: ProcessIdentity): boolean {
  if (process.platform === 'linux') return startTimeFromProc(identity.pid) === identity.startTime;
  const startTime = startTimeFromPs(identity.pid);
  return startTime !== undefined && Math.abs(startTime - identity.startTime) < PS_TOLERANCE_MS;
}

/** Whether a process of this pid runs. One that ended and was not waited for does not. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return startTimeFromProc(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Where pids mean what they mean here: this boot and this pid namespace. A home directory may be shared by
 * containers, and it outlives a reboot.
 */
export function pidSpace(): { boot: string; namespace: string } {
  if (process.platform !== 'linux') return { boot: '', namespace: '' };
  return {
    boot: readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

function startTimeFromProc(pid: number): number | undefined {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === '') return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[STATE_FIELD];
  return state === 'Z' || state === 'X' ? undefined : Number(fields[START_TIME_FIELD]);
}

function startTimeFromPs(pid: number): number | undefined {
  // Windows has no `ps`: there a plugin ends with its standard input.
  if (process.platform === 'win32') return undefined;
  const env = { ...process.env, LC_ALL: 'C' };
  const text = readOrEmpty(() =>
    execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    }).trim(),
  );
  return text === '' ? undefined : Date.parse(text);
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
