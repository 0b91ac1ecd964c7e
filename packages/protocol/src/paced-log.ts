const WINDOW_MS = 1000;
const MAX_LINES = 200;
const MAX_CHARS = 256 * 1024;
const MAX_LINE_CHARS = 8 * 1024;
/** How many lines pass between two looks at the clock once a flood is being cut: each look costs more than a line. */
const LINES_PER_LOOK = 256;

/** As in the SDK and in `toolpost:plugin/log`. */
type Level = 'debug' | 'info' | 'warn' | 'error';

/** A log that a flood does not pass. */
export interface PacedLog {
  write(message: string, level?: Level): void;
  /** Tells how many lines were left out, if any. At the end of each call. */
  flush(): void;
}

/**
 * Passes on the first lines of each second, and then says once how many were left out. What is cut costs a count, so that
 * a guest that floods its log takes no time from the host, and little from itself: the SDK in a component counts before
 * a line leaves it, and the host once more whatever the guest is.
 */
export function createPacedLog(post: (message: string, level: Level) => void, nowMs: () => number): PacedLog {
  let startedAt = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let chars = 0;
  let leftOut = 0;

  function tellLeftOut(): void {
    if (leftOut > 0) post(`left out ${leftOut} more lines of a flood`, 'warn');
    leftOut = 0;
  }

  function startWindow(now: number): void {
    tellLeftOut();
    startedAt = now;
    lines = 0;
    chars = 0;
  }

  return {
    write(message, level = 'info') {
      const isFull = lines >= MAX_LINES || chars >= MAX_CHARS;
      if (!isFull || leftOut % LINES_PER_LOOK === 0) {
        const now = nowMs();
        if (now - startedAt >= WINDOW_MS) startWindow(now);
        else if (isFull) return void leftOut++;
      } else return void leftOut++;
      const line = asLine(message);
      lines += 1;
      chars += line.length;
      post(line, level);
    },
    flush: tellLeftOut,
  };
}

/** Of bounded length and in whole characters: half a one, the plugin's own too, is no text. */
function asLine(message: string): string {
  if (message.length <= MAX_LINE_CHARS) return message.toWellFormed();
  return `${message.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`.toWellFormed();
}
