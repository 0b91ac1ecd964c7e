import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Host } from '../host.ts';
import type { LiveSessions } from '../live-sessions/live-sessions.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { EventStreamLimits } from './event-stream.ts';
import type { Mount } from './mount.ts';

/** What is served, whoever listens. */
export interface ServedHost {
  readonly host: Host;
  readonly store: SessionStore;
  readonly sessions: LiveSessions;
  /** Shortens the limit of every call, in ms. */
  readonly timeoutMs?: number | undefined;
  readonly streamLimits?: Partial<EventStreamLimits>;
  /** Further parts by path, like `/mcp`; they get requests of those who are known. */
  readonly mounts?: Readonly<Record<string, Mount>>;
  /** Gets what the operator should know, as one text. */
  readonly onWarning?: (message: string) => void;
}

export interface ServerOptions extends ServedHost {
  /** The operator's bearer token: `createServerToken`. */
  readonly token: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Whether the page is the web client, where it is built: true when absent. Else it is a small one. */
  readonly servesClient?: boolean;
  /** Where tokens of tenants and keys of models come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
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

/** Who makes a request, as the program that embeds the host knows it. */
export interface Identity {
  /** Whose sessions, tools, storage and limits it has. */
  readonly tenant: string;
  /** One user of that tenant, whose sessions are apart; the tenant itself when absent. */
  readonly user?: string | undefined;
  /** Whether it may look after everybody's plugins. */
  readonly isOperator?: boolean;
}

export interface ServerAppOptions extends ServedHost {
  /**
   * Says who makes a request, by what the program trusts: its own cookies or tokens. Undefined is answered with 401. What it
   * throws is answered with 500 and told to `onWarning`.
   */
  authorize(request: Request, incoming: IncomingMessage): Identity | undefined | Promise<Identity | undefined>;
  /** Where keys and addresses of models come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where it is reached, for the OpenAPI document: "/" when absent. */
  readonly url?: string;
  /** Origins of pages that may ask beside those of the server itself. */
  readonly origins?: readonly string[];
}

/** The API of a host as a part of a program's own server. */
export interface ServerApp {
  /** For what hands on requests on Node with the bindings of `@hono/node-server`: `app.mount('/agents', api.fetch)` of Hono. */
  fetch(request: Request, bindings: unknown): Response | Promise<Response>;
  /** For `node:http` and Express: `app.use('/agents', api.handle)`, before what reads bodies. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /**
   * Answers nothing new, lets turns finish for `graceMs` (0 when absent), then cancels them. Resolves when every event is
   * stored and every stream has ended. Closes the sessions; leaves host, store and server open.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** Makes the API for a program that has a server, and knows its users, by itself. What it needs is loaded now. */
export async function createServerApp(options: ServerAppOptions): Promise<ServerApp> {
  const { makeServerApp } = await import('./make-server-app.ts');
  return makeServerApp(options);
}
