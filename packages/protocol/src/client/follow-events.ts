import type { ToolpostEvent } from '../events.ts';
import { ApiError } from './api-error.ts';
import { type ClientOptions, send } from './request.ts';
import { createSseLines } from './sse-lines.ts';
import { createSseParser, type SentEvent } from './sse-parser.ts';
import type { AbortLike, BodyReader, ClientEnvironment } from './web-types.ts';

export interface FollowListener {
  /** Each event of the log, in order, once. */
  onEvent(event: ToolpostEvent): void;
  /** What was given so far is of another log: throw it away, the events come from the first one again. */
  onReset?(): void;
  /** Whether it is connected; `error` is why not. It goes on trying. */
  onConnection?(state: { readonly isConnected: boolean; readonly error?: Error }): void;
}

export interface FollowOptions extends FollowListener {
  readonly sessionId: string;
  /** `epoch:seq` of the last event that is known, from the session or an earlier `follow`; all events when absent. */
  readonly position?: string | undefined;
  readonly signal?: AbortLike | undefined;
}

/** The seed's clients come again after three seconds; the first attempts are sooner, since most cuts are short. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 3000;
/** The server sends a sign of life every 15 seconds: a connection that is silent for so long is dead. */
const SILENCE_MS = 45_000;

/**
 * Follows the events of a session through cuts and restarts of the server, from the last one that was given.
 * Resolves with the last position when the signal aborts.
 * @throws ApiError for what another attempt does not change: no valid token, no such session, also one that was deleted.
 */
export async function followEvents(client: ClientOptions, options: FollowOptions): Promise<string | undefined> {
  const { signal } = options;
  let position = options.position;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(MAX_DELAY_MS, delayMs * 2)) {
    const before = position;
    let error: Error | undefined;
    try {
      await readOnce(client, { ...options, position }, (next) => {
        position = next;
      });
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof ApiError && !error.isPassing && !signal?.aborted) throw error;
    }
    if (signal?.aborted) return position;
    options.onConnection?.({ isConnected: false, ...(error && { error }) });
    if (position !== before) delayMs = FIRST_DELAY_MS;
    await pause(client.environment, delayMs, signal);
  }
}

type OnPosition = (position: string | undefined) => void;

/** One connection, to its end. */
async function readOnce(client: ClientOptions, options: FollowOptions, onPosition: OnPosition): Promise<void> {
  const { sessionId, position, signal } = options;
  const headers = { accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) };
  const response = await send(client, `/api/sessions/${encodeURIComponent(sessionId)}/events`, { headers, signal });
  const reader = response.body?.getReader();
  if (!reader) throw new ApiError(0, undefined, 'the server sent no events');
  options.onConnection?.({ isConnected: true });
  const take = createSseLines(createSseParser((sent) => give(sent, options, onPosition)));
  await readAll(reader, take, { environment: client.environment, signal });
}

/** The place is kept before the event is given: what a listener throws on does not come again for ever. */
function give({ name, data, id }: SentEvent, options: FollowListener, onPosition: OnPosition): void {
  if (name === 'reset') {
    onPosition(undefined);
    options.onReset?.();
  }
  if (name !== 'message') return;
  if (id !== undefined) onPosition(id);
  options.onEvent(JSON.parse(data) as ToolpostEvent);
}

interface Reading {
  readonly environment: ClientEnvironment;
  readonly signal: AbortLike | undefined;
}

async function readAll(
  reader: BodyReader,
  take: (chunk: Uint8Array) => void,
  { environment, signal }: Reading,
): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const silence = environment.setTimeout(cancel, SILENCE_MS);
      const { done, value } = await reader.read().finally(() => environment.clearTimeout(silence as never));
      if (done) return;
      if (value) take(value);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

function pause(environment: ClientEnvironment, ms: number, signal: AbortLike | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      environment.clearTimeout(timer as never);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = environment.setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
