import type { Cell } from './cells.ts';
import { cellsOf } from './cells.ts';
import { cleanInput } from './clean-input.ts';

/** What was sent before, to be taken again. */
export interface InputHistory {
  add(text: string): void;
  /** The entry before; `draft` is what is kept of the text that is left for it. Undefined when there is none. */
  older(draft: readonly Cell[]): readonly Cell[] | undefined;
  /** The entry behind, at last the draft. */
  newer(): readonly Cell[] | undefined;
  /** What is written next is new. */
  leave(): void;
}

/** `entries`: the oldest first, as a file has them. `keep` is told of each new one. */
export function createInputHistory(entries: readonly string[], keep: (text: string) => void = () => {}): InputHistory {
  const known = entries.map(cleanInput);
  let draft: readonly Cell[] = [];
  let at = known.length;
  return {
    add(text) {
      if (known.at(-1) !== text) {
        known.push(text);
        keep(text);
      }
      at = known.length;
    },
    older(current) {
      if (at === 0) return undefined;
      if (at === known.length) draft = current;
      at -= 1;
      return cellsOf(known[at] ?? '');
    },
    newer() {
      if (at >= known.length) return undefined;
      at += 1;
      return at === known.length ? draft : cellsOf(known[at] ?? '');
    },
    leave() {
      at = known.length;
      draft = [];
    },
  };
}
