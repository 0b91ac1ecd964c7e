import { flushSync } from 'react-dom';
import { nextRange, type Range, reachOf } from './window.ts';

/** Which parts of a long list are drawn: those near to what is seen, a few more in each frame. */
export interface ListWindow {
  /** How many parts there are now, and how high each is, about, before it was drawn. */
  resize(count: number, estimate: (part: number) => number): void;
  range(): Range;
  subscribe(listener: () => void): () => void;
  heights(): readonly number[];
  /** A part that a person uses stays. */
  keep(part: number): void;
  isKept(part: number): boolean;
  /** Watches how high a part is that is drawn. Returns the end of it. */
  measure(part: number, element: Element): () => void;
  /** Follows what scrolls. Returns the end of it. */
  attach(box: HTMLElement): () => void;
}

/** What drawing may take of a frame. The browser needs the rest of its 16 ms to lay it out and paint. */
const BUDGET_MS = 4;
/** As a part of the height that is seen: what moves by more in a frame cannot be read, and is not drawn. */
const TOO_FAST = 0.25;
/** How many parts at the end are drawn at once when many arrive. */
const TAIL = 12;

export function createListWindow(): ListWindow {
  const measured = new Map<number, number>();
  const kept = new Set<number>();
  const parts = new WeakMap<Element, number>();
  const listeners = new Set<() => void>();
  let [count, estimate] = [0, (_part: number) => 0];
  let range: Range = { first: 0, end: 0 };
  let wake = () => {};

  const sizes = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const part = parts.get(target);
      const [box] = borderBoxSize;
      if (part !== undefined && box && target.isConnected) measured.set(part, box.blockSize);
    }
    wake();
  });
  const heights = () => Array.from({ length: count }, (_, part) => measured.get(part) ?? estimate(part));

  /** Draws as much of what should be there as fits into a frame. Returns whether all of it is. */
  function draw(top: number, height: number): boolean {
    const reach = reachOf({ heights: heights(), top, height });
    const startedAt = performance.now();
    do {
      const next = nextRange(range, reach);
      if (next.first === range.first && next.end === range.end) return true;
      range = next;
      flushSync(() => {
        for (const listener of listeners) listener();
      });
    } while (performance.now() - startedAt < BUDGET_MS);
    return false;
  }

  return {
    resize(newCount, newEstimate) {
      const wasAtEnd = range.end === count;
      [count, estimate] = [newCount, newEstimate];
      if (wasAtEnd) range = { first: Math.max(range.first, count - TAIL), end: count };
    },
    range: () => range,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    heights,
    keep: (part) => void kept.add(part),
    isKept: (part) => kept.has(part),
    measure(part, element) {
      parts.set(element, part);
      sizes.observe(element);
      return () => sizes.unobserve(element);
    },
    attach(box) {
      const follower = followScroll(box, draw);
      wake = follower.wake;
      wake();
      return follower.end;
    },
  };
}

function followScroll(box: HTMLElement, draw: (top: number, height: number) => boolean) {
  let [last, frame] = [box.scrollTop, 0];
  function onFrame(): void {
    frame = 0;
    const { scrollTop: top, clientHeight: height } = box;
    const isTooFast = Math.abs(top - last) > height * TOO_FAST;
    last = top;
    if (isTooFast || !draw(top, height)) wake();
  }
  function wake(): void {
    frame ||= requestAnimationFrame(onFrame);
  }
  box.addEventListener('scroll', wake, { passive: true });
  return {
    wake,
    end() {
      cancelAnimationFrame(frame);
      box.removeEventListener('scroll', wake);
    },
  };
}
