const WINDOW_MS = 1000;
const MAX_PER_WINDOW = 200;

export type WriteLog<Level> = (message: string, level?: Level) => void;

/**
 * A log for notes about what a process says: of a flood the first 200 of each second are written, and then how many were
 * left out. Each note costs a write to the disk, and a million of them would hold up everything else.
 */
export function createQuietLog<Level>(write: WriteLog<Level>, nowMs = () => performance.now()): WriteLog<Level> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let written = 0;
  let leftOut = 0;
  return (message, level) => {
    const now = nowMs();
    if (now - startedAt >= WINDOW_MS) {
      if (leftOut > 0) write(`left out ${leftOut} more notes of the second before`);
      startedAt = now;
      written = 0;
      leftOut = 0;
    }
    if (written < MAX_PER_WINDOW) {
      written += 1;
      write(message, level);
    } else leftOut += 1;
  };
}
