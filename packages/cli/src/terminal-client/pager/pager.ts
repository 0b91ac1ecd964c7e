/** What a pager shows: rows of a text, from one of them on. */
export interface PagerView {
  readonly top: number;
  readonly count: number;
  /** Rows of the screen for the text. */
  readonly height: number;
}

/** The view after a key as the terminal sends it; undefined where it closes the pager. */
export function viewAfterKey(view: PagerView, key: string): PagerView | undefined {
  if (CLOSING.has(key)) return undefined;
  const move = MOVES[key];
  return move ? scrolledTo(view, move(view)) : view;
}

export function scrolledTo(view: PagerView, top: number): PagerView {
  return { ...view, top: Math.max(0, Math.min(top, view.count - view.height)) };
}

export function isAtEnd({ top, count, height }: PagerView): boolean {
  return top >= count - height;
}

/** q, Esc, Ctrl-O, Ctrl-C, Ctrl-D. */
const CLOSING: ReadonlySet<string> = new Set(['q', '\u001b', '\u000f', '\u0003', '\u0004']);

type Move = (view: PagerView) => number;

const lineUp: Move = ({ top }) => top - 1;
const lineDown: Move = ({ top }) => top + 1;
const pageUp: Move = ({ top, height }) => top - Math.max(1, height - 1);
const pageDown: Move = ({ top, height }) => top + Math.max(1, height - 1);
const toStart: Move = () => 0;
const toEnd: Move = ({ count }) => count;

const MOVES: Readonly<Record<string, Move>> = {
  ...{ '\u001b[A': lineUp, '\u001bOA': lineUp, k: lineUp, '\u001b[B': lineDown, '\u001bOB': lineDown, j: lineDown },
  ...{ '\u001b[5~': pageUp, b: pageUp, '\u0002': pageUp, '\u001b[6~': pageDown, ' ': pageDown, f: pageDown },
  ...{ '\u001b[H': toStart, '\u001b[1~': toStart, g: toStart, '\u001b[F': toEnd, '\u001b[4~': toEnd, G: toEnd },
};

/** The keys in what was typed: a sequence is one, wherever a paste put others beside it. */
export function keysIn(typed: string): string[] {
  return [...typed.matchAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)?|[\s\S]/gu)].map(([key]) => key);
}
