import type { EventBody } from '@toolpost/protocol';
import { shortLine } from './streamed-lines.ts';

const EVERY_MS = 250;

type Progress = Extract<EventBody, { type: 'tool-progress' }>;

/** The progress of a call as lines: one for a change, and not more than a person can read. */
export function createProgressLines(
  show: (line: string) => void,
  now: () => number = () => performance.now(),
): (event: Progress) => void {
  let last = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message = '' }) => {
    const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
    const line = shortLine(`… ${amount} ${message}`.replaceAll(/\s+/g, ' ').trimEnd());
    if (line === last || now() - lastAt < EVERY_MS) return;
    last = line;
    lastAt = now();
    show(line);
  };
}
