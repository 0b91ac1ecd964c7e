import type { EventBody } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import { notificationMessage } from './write-message.ts';

/** Of output that a client is too slow for, so much waits for it: the latest. */
const MAX_MERGED_CHARACTERS = 64 * 1024;

interface WaitingNote {
  progress: number;
  total: number | undefined;
  message: string;
}

/** Tells a client of a running call's output and progress. */
export interface ProgressNotes {
  onEvent(event: EventBody): void;
  /** Sends what waits: the answer follows. */
  end(): void;
}

/**
 * Turns a call's output and progress into progress notifications. Their numbers grow with each one, as MCP demands:
 * what a tool reports is sent as it is where it does, and output, which has no number, moves it by a trifle. For a
 * client that is behind they are merged into one.
 */
export function createProgressNotes(exchange: Exchange, progressToken: string | number): ProgressNotes {
  let last = -1;
  let lastTotal: number | undefined;
  let waiting: WaitingNote | undefined;

  function send({ progress, total, message }: WaitingNote): void {
    last = progress > last ? progress : above(last);
    const params = {
      progressToken,
      progress: last,
      ...(total !== undefined && { total }),
      ...(message && { message }),
    };
    exchange.notify(notificationMessage('notifications/progress', params));
  }

  function flush(): void {
    const note = waiting;
    waiting = undefined;
    if (note) send(note);
  }

  function add(note: WaitingNote): void {
    if (!waiting && !exchange.isBehind) {
      send(note);
      return;
    }
    if (!waiting) exchange.onCaughtUp(flush);
    waiting = waiting ? merge(waiting, note) : note;
  }

  return {
    onEvent(event) {
      if (event.type === 'tool-output-delta') {
        add({ progress: Math.max(last, waiting?.progress ?? 0, 0), total: lastTotal, message: event.text });
      } else if (event.type === 'tool-progress') {
        lastTotal = event.total;
        add({ progress: event.progress, total: event.total, message: event.message ?? '' });
      }
    },
    end: flush,
  };
}

function merge(earlier: WaitingNote, later: WaitingNote): WaitingNote {
  const message = (earlier.message + later.message).slice(-MAX_MERGED_CHARACTERS).toWellFormed();
  return { progress: Math.max(earlier.progress, later.progress), total: later.total ?? earlier.total, message };
}

function above(value: number): number {
  const next = Math.round((value + 0.001) * 1000) / 1000;
  return next > value ? next : value + Math.abs(value) * Number.EPSILON * 2;
}
