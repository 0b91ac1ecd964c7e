/** Tells listeners of changes at most once a frame: the first at once, the last always. */
export interface Frames {
  changed(): void;
  subscribe(listener: () => void): () => void;
  /** Grows with each frame. */
  readonly count: number;
}

/** A frame of a client that draws thirty times a second. */
const FRAME_MS = 33;

export function createFrames(): Frames {
  const listeners = new Set<() => void>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDirty = false;
  const tell = () => {
    count += 1;
    isDirty = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDirty) tell();
    }, FRAME_MS);
    for (const listener of listeners) listener();
  };
  return {
    changed() {
      if (timer) isDirty = true;
      else tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get count() {
      return count;
    },
  };
}
