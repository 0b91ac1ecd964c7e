import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { type PipeOptions, PluginPipe } from '../plugin-pipe.ts';
import type { Transport, TransportHandlers } from './transport.ts';

/** Enough for a server to leave its loop after the end of its input; one that does not is ended. */
const STOP_GRACE_MS = 500;
/** The id of a line of which only the start is known, wherever it stands among the first members. */
const ID_AT_HEAD = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*"?(\d{1,15})"?\s*,\s*"(?:result|error)"/;

/**
 * A server that is a process: one message a line. It has all that a stdio plugin has, as it is started and ended by the
 * same code: a group, marked descendants, a log, its last words in errors.
 * @throws Error that names the program and the remedy when it cannot be started.
 */
export async function openStdioTransport(options: PipeOptions, handlers: TransportHandlers): Promise<Transport> {
  const { log } = options.context;
  const startedAt = Date.now();
  const pipe = await PluginPipe.open(options, {
    onLine: (text) => deliver(text, handlers, (noise) => log(`ignored on stdout, no message: ${noise}`, 'debug')),
    onOverlong(reason, head) {
      const [, id] = ID_AT_HEAD.exec(head) ?? [];
      if (id !== undefined || !/"method"\s*:/.test(head)) handlers.onLost(id === undefined ? id : Number(id), reason);
    },
    onClosing: () => handlers.onClosing(),
    onClosed: (crash) => handlers.onClosed(crash),
  });
  return {
    hasRequestStreams: false,
    get process() {
      return { pid: pipe.pid, startedAt, lastStderr: pipe.stderrLines };
    },
    send: (message) => pipe.write(message),
    setProtocolVersion: () => undefined,
    stop: () => pipe.stop(STOP_GRACE_MS),
    kill: (reason) => pipe.kill(reason),
  };
}

/** A revision of the protocol had lists of messages on one line. */
function deliver(text: string, handlers: TransportHandlers, onNoise: (quoted: string) => void): void {
  const value = parsed(text);
  const messages = Array.isArray(value) ? value : [value];
  for (const message of messages) {
    if (isMessage(message)) handlers.onMessage(message);
    else if (text.trim() !== '') onNoise(quoteValue(text));
  }
}

function isMessage(value: unknown): value is JsonObject {
  return isJsonObject(value) && ('method' in value || 'result' in value || 'error' in value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
