import { readFileSync } from 'node:fs';

/** The memory that a process holds, in bytes; undefined where there is no /proc, or no such process. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}
