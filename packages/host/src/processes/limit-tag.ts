import { readFileSync } from 'node:fs';
import { isAlive } from './process-identity.ts';

/** A host's number has 40 bits, that of a process in it 20: far below the number that means "no limit". */
const HOST_DIGITS = 10;
const PROCESS_BITS = 20n;
const MARKER = new RegExp(`^\\.([0-9a-f]{${HOST_DIGITS}})[0-9a-f]*\\.(?:(\\d+)\\.)?$`);
const FILE_LOCKS = /^Max file locks +(\d+) /m;
const SET_AND_RUN = 'ulimit -S -x "$1" 2>/dev/null; shift; exec "$@"';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The same program, started through a bash that first writes the marker's number into the limit of file locks. Linux has
 * no such limit any more (since 2.4.25) and keeps the number all the same, for every descendant, also for one that
 * clears its environment, leaves the group and closes its pipes: `env -i` clears no limits.
 */
export function withLimitTag({ command, args }: Program, bash: string, marker: string): Program {
  const tag = tagOf(marker);
  if (process.platform !== 'linux' || tag === undefined) return { command, args };
  const number = (tag.host << PROCESS_BITS) | (tag.process ?? 0n);
  return { command: bash, args: ['--norc', '-c', SET_AND_RUN, bash, String(number), command, ...args] };
}

/** Whether a process has the number of one of these markers. One that ended keeps it until somebody waits for it. */
export function hasLimitTag(pid: number, markers: readonly string[]): boolean {
  const number = fileLocksOf(pid);
  return number !== undefined && markers.some((marker) => isTagOf(number, marker)) && isAlive(pid);
}

function isTagOf(number: bigint, marker: string): boolean {
  const tag = tagOf(marker);
  if (tag === undefined || number >> PROCESS_BITS !== tag.host) return false;
  return tag.process === undefined || (number & ((1n << PROCESS_BITS) - 1n)) === tag.process;
}

/** A host's own marker has no process in it. */
function tagOf(marker: string): { host: bigint; process: bigint | undefined } | undefined {
  const [, host, process] = MARKER.exec(marker) ?? [];
  if (host === undefined) return undefined;
  return {
    host: BigInt(`0x${host}`),
    process: process === undefined ? undefined : BigInt.asUintN(Number(PROCESS_BITS), BigInt(process)),
  };
}

function fileLocksOf(pid: number): bigint | undefined {
  try {
    const [, number] = FILE_LOCKS.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
    return number === undefined ? undefined : BigInt(number);
  } catch {
    return undefined;
  }
}
