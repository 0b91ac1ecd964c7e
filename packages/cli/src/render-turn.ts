import { type EventBody, TURN_ENDINGS } from '@toolpost/protocol';
import { callHeading } from './call-heading.ts';
import { createProgressLines } from './progress-lines.ts';
import { createStreamedLines, type StreamedLines, shortLine } from './streamed-lines.ts';
import { plainText, terminalText } from './terminal-text.ts';

const MAX_RESULT_LINES = 8;

export interface TurnOutput {
  /** The model's words. */
  answer(text: string): void;
  /** What happens beside them: calls, warnings. */
  aside(text: string): void;
}

interface RunningCall {
  readonly lines: StreamedLines;
  readonly progress: ReturnType<typeof createProgressLines>;
}

/** Shows a turn as plain lines: the model's words as they come, each call with its state and what it streams. */
export function createTurnRenderer({ answer, aside }: TurnOutput): (event: EventBody) => void {
  const running = new Map<string, RunningCall>();
  let isLineOpen = false;
  const begin = (id: string, name: string) => {
    // Calls of one round run together: their lines say whose they are.
    const show = (text: string) => line(`    ${running.size > 1 ? `${name} │ ` : ''}${text}`);
    running.set(id, { lines: createStreamedLines(show), progress: createProgressLines(show) });
  };
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
        line(callHeading(event.name, event.displayArg ?? event.arguments));
        begin(event.toolCallId, event.name);
        break;
      case 'tool-output-delta':
        running.get(event.toolCallId)?.lines.add(event.stream, event.text);
        break;
      case 'tool-progress':
        running.get(event.toolCallId)?.progress(event);
        break;
      case 'tool-call-end': {
        const call = running.get(event.toolCallId);
        call?.lines.end();
        running.delete(event.toolCallId);
        line(
          `  ${event.outcome === 'completed' ? '✓' : '✗'} ${event.name} ${event.outcome} in ${seconds(event.result.durationMs)}${excerpt(event.result.text, call?.lines)}`,
        );
        break;
      }
      case 'warning':
        line(`! ${event.message}`);
        break;
      case 'turn-end':
        if (isLineOpen) answer('\n');
        isLineOpen = false;
        if (TURN_ENDINGS[event.reason] !== undefined) aside(`! ${TURN_ENDINGS[event.reason]}\n`);
        break;
      case 'turn-error':
        line(`! ${event.message}`);
        break;
      default:
    }
  };
}

/** The end of the result is where it says how it went. What was just streamed is not said again. */
function excerpt(text: string, streamed: StreamedLines | undefined): string {
  const lines = plainText(text).trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return '';
  const last = lines.slice(-MAX_RESULT_LINES);
  if (streamed?.hasShown(last)) return '';
  const shown = last.map((line) => `\n    ${shortLine(line)}`);
  const more = lines.length > MAX_RESULT_LINES ? `\n    … ${lines.length - MAX_RESULT_LINES} lines above` : '';
  return more + shown.join('');
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
