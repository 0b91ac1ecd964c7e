import { seconds } from '../../render-turn.ts';
import type { CallEntry, CallState } from '../transcript/entries.ts';
import { type Paint, type Span, span } from './line.ts';
import type { Theme } from './theme.ts';

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
export const SPINNER_MS = 80;

/** A shorter time says nothing to a person. */
const SHOWN_FROM_MS = 1000;

export function spinnerAt(now: number): string {
  return SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? '';
}

interface Sign {
  readonly sign: string;
  readonly word: string;
  readonly paint: keyof Pick<Theme, 'faint' | 'good' | 'bad' | 'warn' | 'accent'>;
}

/** A state is told by sign and word, never by colour alone. No sign stands for the spinner. */
const SIGNS: Readonly<Record<CallState, Sign>> = {
  writing: { sign: '', word: 'writing', paint: 'accent' },
  queued: { sign: '○', word: 'queued', paint: 'faint' },
  asking: { sign: '!', word: 'asks you', paint: 'warn' },
  running: { sign: '', word: 'running', paint: 'accent' },
  completed: { sign: '✓', word: 'done', paint: 'good' },
  failed: { sign: '✗', word: 'failed', paint: 'bad' },
  'invalid-input': { sign: '✗', word: 'invalid input', paint: 'bad' },
  'not-found': { sign: '✗', word: 'not found', paint: 'bad' },
  'timed-out': { sign: '✗', word: 'timed out', paint: 'bad' },
  crashed: { sign: '✗', word: 'crashed', paint: 'bad' },
  denied: { sign: '⊘', word: 'denied', paint: 'warn' },
  cancelled: { sign: '■', word: 'cancelled', paint: 'warn' },
};

/** How a call is doing, as `✓ done in 1.2 s`. */
export function stateSpans(call: CallEntry, theme: Theme, now: number): Span[] {
  const { sign, word, paint } = SIGNS[call.state];
  const colour: Paint = theme[paint];
  return [span(`${sign || spinnerAt(now)} ${word}`, colour), span(timeOf(call, now), theme.faint)];
}

function timeOf({ state, startedAt, record }: CallEntry, now: number): string {
  if (record) {
    if (record.durationMs < SHOWN_FROM_MS) return '';
    return state === 'completed' ? ` in ${seconds(record.durationMs)}` : ` after ${seconds(record.durationMs)}`;
  }
  const passedMs = startedAt === undefined ? 0 : now - startedAt;
  return state === 'running' && passedMs >= SHOWN_FROM_MS ? ` ${Math.floor(passedMs / 1000)} s` : '';
}
