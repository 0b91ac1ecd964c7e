const BEAT_MS = 500;
const SILENCE_MS = 2_500;
/** Loading a frame is more work than answering in it. */
const START_MS = 15_000;

export interface Heartbeat {
  /** It has loaded, and is to answer from now on. */
  start(): void;
  answered(): void;
  /** Whether it has missed more than one answer. */
  isMissing(): boolean;
  stop(): void;
}

/**
 * Asks a frame again and again whether it still runs. One that says nothing for two and a half seconds hangs: an endless loop, no
 * memory left, a process that is gone. Time in which this page itself was held up, or is not shown, does not count.
 */
export function createHeartbeat(ask: () => void, onSilence: () => void): Heartbeat {
  let silentMs = 0;
  let allowedMs = START_MS;
  let lastBeat = performance.now();
  const timer = setInterval(beat, BEAT_MS);

  function beat(): void {
    const now = performance.now();
    const since = now - lastBeat;
    lastBeat = now;
    // A beat that comes late says that the page was held up, which held up the answers too.
    silentMs += document.hidden || since > 2 * BEAT_MS ? 0 : since;
    if (silentMs > allowedMs) {
      clearInterval(timer);
      onSilence();
    } else if (allowedMs === SILENCE_MS) ask();
  }

  return {
    start() {
      silentMs = 0;
      allowedMs = SILENCE_MS;
    },
    answered() {
      silentMs = 0;
    },
    isMissing: () => allowedMs === SILENCE_MS && silentMs > 2 * BEAT_MS,
    stop: () => clearInterval(timer),
  };
}
