import type { CallRecord, EventBody } from '@toolpost/protocol';
import { createProgressLines } from './progress-lines.ts';
import { createStreamedLines } from './streamed-lines.ts';

/** A call that ends sooner shows its result at once; a person waits for a longer one and wants to see it go on. */
const HOLD_MS = 1000;

export interface CallDisplay {
  onEvent(event: EventBody): void;
  /** Shows what was held of the output, unless the result says it too. */
  end(record: CallRecord): void;
}

/** Shows on a terminal, beside the result, what a running call streams. */
export function createCallDisplay(write: (text: string) => void): CallDisplay {
  let held: string[] | undefined = [];
  const show = (line: string) => write(`  ${line}\n`);
  const release = () => {
    for (const line of held ?? []) show(line);
    held = undefined;
  };
  const timer = setTimeout(release, HOLD_MS);
  const lines = createStreamedLines((line) => (held ? void held.push(line) : show(line)));
  const progress = createProgressLines(show);
  return {
    onEvent(event) {
      if (event.type === 'tool-output-delta') lines.add(event.stream, event.text);
      if (event.type === 'tool-progress' && !held) progress(event);
    },
    end({ text }) {
      clearTimeout(timer);
      lines.end();
      const isInResult = held?.every((line) => text.includes(line.replace(/…$/, ''))) === true;
      if (!isInResult) release();
    },
  };
}
