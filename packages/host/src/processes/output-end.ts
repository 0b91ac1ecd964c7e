import type { ProcessExit, StartedProcess } from './start-process.ts';

/** How long the pipes may be silent after the process's end, while a background process holds them. */
const QUIET_GRACE_MS = 500;
const MAX_GRACE_MS = 5000;

/** Who reads what a process writes. */
export interface OutputReader {
  /** Calls `listener` for each chunk that comes. */
  onChunk(listener: () => void): void;
  /** Whether reading stands still because the reader is behind. */
  readonly isPaused: boolean;
}

export interface OutputEnd {
  readonly exit: ProcessExit;
  /** False when a background process still held the pipes. */
  readonly isComplete: boolean;
}

/**
 * Waits until a process has ended and its output was read. A background process may hold the pipes for ever: after the end
 * they only have to be quiet for a while.
 */
export async function exitedAndDrained(
  { exited, drained }: Pick<StartedProcess, 'exited' | 'drained'>,
  output: OutputReader,
): Promise<OutputEnd> {
  const exit = await exited;
  const isComplete = await new Promise<boolean>((resolve) => {
    const giveUp = (): void => {
      // The silence is ours.
      if (output.isPaused) return void quiet.refresh();
      clearTimeout(quiet);
      clearTimeout(last);
      resolve(false);
    };
    const quiet = setTimeout(giveUp, QUIET_GRACE_MS);
    const last = setTimeout(giveUp, MAX_GRACE_MS);
    output.onChunk(() => quiet.refresh());
    void drained.then(() => {
      clearTimeout(quiet);
      clearTimeout(last);
      resolve(true);
    });
  });
  return { exit, isComplete };
}

/** Kills what is left and reads what it had written; a pipe that an escaped process still holds is let go. */
export async function killAndDrain(started: StartedProcess): Promise<void> {
  await started.kill();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, QUIET_GRACE_MS);
  });
  await Promise.race([started.drained, late]);
  clearTimeout(timer);
  started.stdout.destroy();
  started.stderr.destroy();
}
