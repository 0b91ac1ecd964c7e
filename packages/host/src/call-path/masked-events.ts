import type { EventBody } from '@toolpost/protocol';
import type { Redactor } from './redactor.ts';

type Listener = (event: EventBody) => void;
type Streamed = Extract<EventBody, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;
type Drawn = Extract<EventBody, { type: 'ui-delta' }>;

/**
 * Masks secrets in the events of a turn: what a person typed, what a model says, what a provider quotes in an error. The
 * events of a call are masked where they are made. What is streamed comes in pieces: what may be the start of a secret
 * waits for the next piece, or for the first event of another kind.
 */
export function maskedEvents(onEvent: Listener, redact: Redactor): Listener {
  const waiting = new Map<string, Streamed>();
  const undrawn = new Map<string, Drawn>();

  function stream(event: Streamed): void {
    const key = event.type === 'tool-input-delta' ? event.toolCallId : event.type;
    const text = (waiting.get(key)?.text ?? '') + event.text;
    const end = redact.holdBack(text);
    if (end < text.length) waiting.set(key, { ...event, text: text.slice(end) });
    else waiting.delete(key);
    if (end > 0) onEvent({ ...event, text: redact(text.slice(0, end)) });
  }

  /** The whole code so far, but for what may be the start of a secret. */
  function draw(event: Drawn): void {
    const { code, toolCallId } = event;
    const end = redact.holdBack(code);
    if (end < code.length) undrawn.set(toolCallId, event);
    else undrawn.delete(toolCallId);
    onEvent({ ...event, code: redact(code.slice(0, end)) });
  }

  return (event) => {
    if (event.type === 'ui-delta') {
      draw(event);
      return;
    }
    if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-input-delta') {
      stream(event);
      return;
    }
    for (const rest of waiting.values()) onEvent({ ...rest, text: redact(rest.text) });
    waiting.clear();
    for (const rest of undrawn.values()) onEvent({ ...rest, code: redact(rest.code) });
    undrawn.clear();
    onEvent(maskedWhole(event, redact));
  };
}

function maskedWhole(event: EventBody, redact: Redactor): EventBody {
  if (event.type === 'turn-start' || event.type === 'turn-end') return { ...event, text: redact(event.text) };
  if (event.type === 'turn-error' || event.type === 'warning') return { ...event, message: redact(event.message) };
  return event;
}
