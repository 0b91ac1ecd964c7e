import type { Readable } from 'node:stream';
import { createLineSplitter, DEFAULT_MAX_LINE_BYTES, type Session } from '@toolpost/protocol';
import type { Host } from '../host.ts';
import { createMessageWriter, type MessagePipe } from './message-writer.ts';
import { StdioConnection } from './stdio-connection.ts';

const DEFAULT_GRACE_MS = 1000;

export interface ServeStdioOptions {
  readonly host: Host;
  readonly session: Session;
  readonly input: Readable;
  readonly output: MessagePipe;
  /** Shortens every call's own limit, in ms. */
  readonly timeoutMs?: number | undefined;
  /** So long what is under way when the input ends may take to be answered, before it is cancelled; a second when absent. */
  readonly graceMs?: number | undefined;
  /** Ends the server as the end of the input does, and cancels at once. */
  readonly abortSignal?: AbortSignal | undefined;
  /** Gets what the operator should know, as one text. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Serves one session's tools over MCP on a pair of pipes, until the input ends. Resolves when every request was answered
 * or cancelled; leaves the host open.
 */
export async function serveStdio(options: ServeStdioOptions): Promise<void> {
  const {
    host,
    session,
    input,
    output,
    timeoutMs,
    abortSignal,
    graceMs = DEFAULT_GRACE_MS,
    onWarning = () => undefined,
  } = options;
  const writer = createMessageWriter(output);
  let calls = 0;
  const connection = new StdioConnection({
    ...{ host, session, writer, timeoutMs },
    createCallId: () => `mcp-${++calls}`,
    onBug: (error) => onWarning(host.redact(`a request failed: ${error instanceof Error ? error.stack : error}`)),
  });
  const lines = createLineSplitter({
    decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    onLine: (line) => connection.receive(line),
    onOverlongLine: () => connection.refuse(`a message may have ${DEFAULT_MAX_LINE_BYTES} bytes, and one has more`),
  });
  await readAll(input, abortSignal, (chunk) => {
    lines.push(chunk);
    if (!writer.isStuck) return;
    // Whoever does not read is not read from: what it asks for would pile up here.
    input.pause();
    writer.onCaughtUp(() => input.resume());
  });
  lines.end();
  await connection.close(abortSignal?.aborted ? 0 : graceMs);
  writer.flush();
}

/** Until the end of the input, or the abort. */
function readAll(input: Readable, abortSignal: AbortSignal | undefined, take: (chunk: Buffer) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  input.on('data', take);
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  if (abortSignal?.aborted) end();
  abortSignal?.addEventListener('abort', end, { once: true });
  return promise.finally(() => {
    input.off('data', take);
    input.pause();
  });
}
