import type { EditedText } from './editing.ts';

const MAX_STEPS = 200;

/** What was written before, step by step. Characters that are typed one after the other are one step. */
export interface Undo {
  /** Keeps what was there before an edit. */
  keep(before: EditedText, isTyped: boolean): void;
  /** What is typed next is a step of its own. */
  stop(): void;
  take(): EditedText | undefined;
}

export function createUndo(): Undo {
  const steps: EditedText[] = [];
  let isTyping = false;
  return {
    keep(before, isTyped) {
      if (!(isTyping && isTyped)) steps.push(before);
      if (steps.length > MAX_STEPS) steps.shift();
      isTyping = isTyped;
    },
    stop() {
      isTyping = false;
    },
    take() {
      isTyping = false;
      return steps.pop();
    },
  };
}
