import type { EventBody } from '@toolpost/protocol';
import { plainText, terminalText } from './terminal-text.ts';

const MAX_ARGUMENT = 80;
const MAX_RESULT_LINES = 8;

export interface TurnOutput {
  /** The model's words. */
  answer(text: string): void;
  /** What happens beside them: calls, warnings. */
  aside(text: string): void;
}

/** Shows a turn as plain lines: the model's words as they come, each call with its state. */
export function createTurnRenderer({ answer, aside }: TurnOutput): (event: EventBody) => void {
  let isLineOpen = false;
  const line = (text: string) => {
    if (isLineOpen) answer('\n');
    isLineOpen = false;
    aside(`${plainText(text)}\n`);
  };
  return (event) => {
    switch (event.type) {
      case 'text-delta':
        answer(terminalText(event.text));
        isLineOpen = !event.text.endsWith('\n');
        break;
      case 'tool-call-start':
        line(`▸ ${event.name}${shortArgument(event.displayArg ?? event.arguments)}`);
        break;
      case 'tool-call-end':
        line(
          `  ${event.outcome === 'completed' ? '✓' : '✗'} ${event.name} ${event.outcome} in ${seconds(event.result.durationMs)}${excerpt(event.result.text)}`,
        );
        break;
      case 'warning':
        line(`! ${event.message}`);
        break;
      case 'turn-end':
        if (isLineOpen) answer('\n');
        isLineOpen = false;
        if (event.reason !== 'completed') aside(`! the turn ended early: ${event.reason}\n`);
        break;
      case 'turn-error':
        line(`! ${event.message}`);
        break;
      default:
    }
  };
}

function shortArgument(text: string): string {
  const line = plainText(text).replaceAll('\n', ' ');
  if (line === '' || line === '{}') return '';
  const characters = [...line];
  return ` ${characters.length > MAX_ARGUMENT ? `${characters.slice(0, MAX_ARGUMENT).join('')}…` : line}`;
}

/** The end of the result is where it says how it went. */
function excerpt(text: string): string {
  const lines = text.trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return '';
  const shown = lines.slice(-MAX_RESULT_LINES).map((line) => `\n    ${[...line].slice(0, 200).join('')}`);
  const more = lines.length > MAX_RESULT_LINES ? `\n    … ${lines.length - MAX_RESULT_LINES} lines above` : '';
  return more + shown.join('');
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
