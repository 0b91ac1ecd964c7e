import type { ToolpostEvent } from '@toolpost/protocol';
import { createTurnRenderer, type TurnOutput } from './render-turn.ts';
import { plainText } from './terminal-text.ts';

/** Shows a stored log as it was seen when it happened, with what the user said before each turn. */
export function createLogRenderer(output: TurnOutput): (event: ToolpostEvent) => void {
  const render = createTurnRenderer(output);
  return (event) => {
    if (event.type === 'turn-start') output.aside(`> ${plainText(event.text).replaceAll('\n', '\n  ')}\n`);
    render(event);
  };
}

/** Where the last turns of a log begin, and how many turns stand before them. */
export function lastTurns(log: Iterable<ToolpostEvent>, count: number): { afterSeq: number; before: number } {
  const starts: number[] = [];
  for (const event of log) if (event.type === 'turn-start') starts.push(event.seq);
  const before = Math.max(0, starts.length - count);
  return { afterSeq: (starts[before] ?? 1) - 1, before };
}
