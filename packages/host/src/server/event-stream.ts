import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { HostError, type ToolpostEvent } from '@toolpost/protocol';
import type { LiveSession } from '../live-sessions/live-session.ts';
import { positionOf, type Start } from './log-position.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface EventStreamLimits {
  /** A comment goes out when nothing else did for so long, so that both sides notice a dead connection. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for so long is cut off. It reads on from its last event when it comes again. */
  readonly stallMs: number;
}

export const EVENT_STREAM_LIMITS: EventStreamLimits = { heartbeatMs: 15_000, stallMs: 30_000 };

export interface EventStreamOptions extends EventStreamLimits {
  readonly live: Pick<LiveSession, 'epoch' | 'follow'>;
  readonly start: Start;
}

/**
 * Writes a session's events as server-sent ones, each with its place in the log as `id` and as `data` what `run --json`
 * prints. A reader gets the next batch when it has taken the last one: nothing piles up for a slow one, and no turn waits.
 * Resolves when the stream has ended, with an `end` event before that unless the reader went away; without that one,
 * what was read was cut.
 */
export async function writeEventStream(response: ServerResponse, options: EventStreamOptions): Promise<void> {
  const { live, start, heartbeatMs, stallMs } = options;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.socket?.setNoDelay(true);
  response.write(start.isReset ? `event: reset\ndata: {"epoch":${JSON.stringify(live.epoch)}}\n\n` : ':\n\n');
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, heartbeatMs);
  try {
    for await (const batch of live.follow({ afterSeq: start.afterSeq, abortSignal: gone.signal })) {
      if (response.write(toText(batch, live.epoch))) heartbeat.refresh();
      else if (!(await drained(response, gone.signal, stallMs))) return;
    }
    if (!gone.signal.aborted) response.end('event: end\ndata: {}\n\n');
  } catch (error) {
    // Its log cannot be read any more: without an `end` the reader comes again, and is told then.
    if (!(error instanceof HostError)) throw error;
  } finally {
    clearInterval(heartbeat);
    if (!response.writableEnded) response.destroy();
  }
}

function toText(batch: readonly ToolpostEvent[], epoch: string): string {
  let text = '';
  for (const event of batch) text += `id: ${positionOf(epoch, event.seq)}\ndata: ${JSON.stringify(event)}\n\n`;
  return text;
}

/** Waits until the reader has taken what was written; false when it went away, or takes nothing. */
async function drained(response: ServerResponse, gone: AbortSignal, stallMs: number): Promise<boolean> {
  const patience = AbortSignal.timeout(stallMs);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([gone, patience]) });
    return true;
  } catch {
    return false;
  }
}
