import type { EventBody } from '@toolpost/protocol';
import type { OutputRelayParts } from './output-relay.ts';
import type { Redactor } from './redactor.ts';

/** More than a line of a screen takes; a message is cut here. */
const MAX_MESSAGE_CHARS = 2000;
/** So many come as they are; after that the state is told at most this often, and the last one always. */
const MAX_AT_ONCE = 100;
const PACE_MS = 100;

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ProgressRelay {
  tell(update: ProgressUpdate): void;
  /** Passes on what was held back. */
  end(): void;
}

/**
 * Turns a call's progress into events. Each is kept in a log, and only the newest state counts: a tool that reports in a loop
 * makes a few of them a second.
 */
export function createProgressRelay({ toolCallId, redact, onEvent }: OutputRelayParts): ProgressRelay {
  let waiting: ProgressUpdate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let toldAt = 0;
  let told = 0;

  function emit(update: ProgressUpdate): void {
    told += 1;
    toldAt = performance.now();
    onEvent({ type: 'tool-progress', toolCallId, ...bodyOf(update, redact) });
  }

  function emitWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting) emit(waiting);
    waiting = undefined;
  }

  return {
    tell(update) {
      const restMs = told < MAX_AT_ONCE ? 0 : toldAt + PACE_MS - performance.now();
      if (restMs <= 0 && !timer) emit(update);
      else {
        waiting = update;
        timer ??= setTimeout(emitWaiting, restMs).unref();
      }
    },
    end: emitWaiting,
  };
}

type Body = Omit<Extract<EventBody, { type: 'tool-progress' }>, 'type' | 'toolCallId'>;

function bodyOf({ progress, total, message }: ProgressUpdate, redact: Redactor): Body {
  return {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) && { total }),
    ...(message !== undefined && { message: shortened(redact(message.toWellFormed())) }),
  };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARS) return message;
  return `${message
    .slice(0, MAX_MESSAGE_CHARS)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
