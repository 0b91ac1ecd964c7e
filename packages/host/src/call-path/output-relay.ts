import type { EventBody, OutputStream } from '@toolpost/protocol';
import type { Redactor } from './redactor.ts';

/** A call's output deltas stop here with one marker (design section 7); the result is not affected. */
const MAX_STREAMED_CHARS = 1024 * 1024;
const MARKER = '\n[the output is longer than 1 MiB: the rest is not streamed]\n';

export interface OutputRelay {
  write(stream: OutputStream, text: string): void;
  /** Passes on what was held back. */
  end(): void;
}

export interface OutputRelayParts {
  readonly toolCallId: string;
  readonly redact: Redactor;
  readonly onEvent: (event: EventBody) => void;
}

/** Turns a call's output into events: well-formed, redacted also across pieces, and bounded. */
export function createOutputRelay({ toolCallId, redact, onEvent }: OutputRelayParts): OutputRelay {
  const held: Record<OutputStream, string> = { stdout: '', stderr: '' };
  let streamedChars = 0;
  let isFull = false;

  function emit(stream: OutputStream, text: string): void {
    if (text === '' || isFull) return;
    const left = MAX_STREAMED_CHARS - streamedChars;
    const taken = text.length <= left ? text : text.slice(0, endOfCharacter(text, left));
    streamedChars += taken.length;
    if (taken !== '') onEvent({ type: 'tool-output-delta', toolCallId, stream, text: taken });
    if (taken.length === text.length) return;
    isFull = true;
    onEvent({ type: 'tool-output-delta', toolCallId, stream, text: MARKER });
  }

  return {
    write(stream, text) {
      if (isFull) return;
      const whole = held[stream] + text;
      const cut = endOfSafeText(whole, redact);
      held[stream] = whole.slice(cut);
      emit(stream, redact(whole.slice(0, cut)).toWellFormed());
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        emit(stream, redact(held[stream]).toWellFormed());
        held[stream] = '';
      }
    },
  };
}

/** Where the text may be cut so that no surrogate pair and no secret that has only begun is torn. */
function endOfSafeText(text: string, redact: Redactor): number {
  const end = endOfCharacter(text, text.length);
  return redact.isActive ? Math.min(end, redact.holdBack(text)) : end;
}

/** One less where the text would be cut inside a surrogate pair. */
function endOfCharacter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
