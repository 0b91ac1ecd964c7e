import type { EventBody, OutputStream } from '@toolpost/protocol';
import type { Redactor } from './redactor.ts';

/** A call's output deltas stop here with one marker (design section 7); the result is not affected. */
const MAX_STREAMED_CHARS = 1024 * 1024;

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

  function emit(stream: OutputStream, text: string): void {
    if (text === '' || streamedChars > MAX_STREAMED_CHARS) return;
    streamedChars += text.length;
    onEvent({ type: 'tool-output-delta', toolCallId, stream, text });
    if (streamedChars > MAX_STREAMED_CHARS) {
      const marker = '\n[the output is longer than 1 MiB: the rest is not streamed]\n';
      onEvent({ type: 'tool-output-delta', toolCallId, stream, text: marker });
    }
  }

  return {
    write(stream, text) {
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
  const last = text.charCodeAt(text.length - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  return redact.isActive ? Math.min(end, redact.holdBack(text)) : end;
}
