import { residentBytes } from '../processes/resident-bytes.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** One running process of a plugin. */
export interface PluginProcessStatus {
  readonly pid: number;
  /** The tenant that it serves; absent where it serves all. */
  readonly tenant?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Its own memory, without its children's; absent where the system does not tell. */
  readonly memoryBytes?: number;
  readonly restarts: number;
  /** The last lines it wrote to stderr. */
  readonly lastStderr: readonly string[];
}

export function processesOf(slot: PluginSlot): PluginProcessStatus[] {
  return slot.all.flatMap(({ process, tenant }) => {
    if (!process) return [];
    const { pid, startedAt, restarts, lastStderr } = process;
    const memoryBytes = residentBytes(pid);
    return [
      {
        pid,
        ...(tenant !== undefined && { tenant }),
        startedAt,
        ...(memoryBytes !== undefined && { memoryBytes }),
        restarts,
        lastStderr,
      },
    ];
  });
}
