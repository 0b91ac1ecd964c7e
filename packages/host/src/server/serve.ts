import type { Host } from '../host.ts';
import type { LiveSessions } from '../live-sessions/live-sessions.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { EventStreamLimits } from './event-stream.ts';
import type { Mount } from './mount.ts';

export interface ServerOptions {
  readonly host: Host;
  readonly store: SessionStore;
  readonly sessions: LiveSessions;
  /** The operator's bearer token: `createServerToken`. */
  readonly token: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Where tokens of tenants and keys of models come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Shortens the limit of every call, in ms. */
  readonly timeoutMs?: number | undefined;
  readonly streamLimits?: Partial<EventStreamLimits>;
  /** Further parts by path, like `/mcp`; they get requests whose token is known. */
  readonly mounts?: Readonly<Record<string, Mount>>;
  /** Gets what the operator should know, as one text. */
  readonly onWarning?: (message: string) => void;
}

/** A server that listens on 127.0.0.1. */
export interface ToolpostServer {
  readonly port: number;
  /** Without a final slash. */
  readonly url: string;
  /** A link that opens the page with the operator's token, once. */
  createLink(): string;
  /**
   * Takes no more requests, lets turns finish for `graceMs` (0 when absent), then cancels them. Resolves when every event
   * is stored, every client that reads has its last one, and nothing listens. Closes the sessions; leaves host and store open.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

/**
 * Serves a host over HTTP. Its parts are loaded when it is called: what only calls tools pays nothing for them.
 * @throws HostError SERVER_FAILED when it cannot listen, CONFIG_INVALID for tokens that cannot be told apart.
 */
export async function serve(options: ServerOptions): Promise<ToolpostServer> {
  const { startServer } = await import('./start-server.ts');
  return startServer(options);
}
