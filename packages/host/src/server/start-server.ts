import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.ts';
import { EVENT_STREAM_LIMITS } from './event-stream.ts';
import { ADDRESS, listenOnLoopback } from './listen-on-loopback.ts';
import { createOneUseLinks } from './one-use-links.ts';
import { createAuthenticate } from './principal.ts';
import type { Route } from './route.ts';
import { callRoutes } from './routes/call-routes.ts';
import { pluginRoutes } from './routes/plugin-routes.ts';
import { questionRoutes } from './routes/question-routes.ts';
import { serverRoutes } from './routes/server-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { toolRoutes } from './routes/tool-routes.ts';
import { turnRoutes } from './routes/turn-routes.ts';
import type { ServerOptions, ToolpostServer } from './serve.ts';
import type { ServerParts } from './server-parts.ts';
import { keepToken } from './server-token.ts';

/** So long a client may take to read the end of what it follows. */
const FAREWELL_MS = 1000;

/** Starts the server on this machine's own address, and on no other one. */
export async function startServer(options: ServerOptions): Promise<ToolpostServer> {
  const { host, sessions, token, environment = process.env, onWarning = () => undefined } = options;
  const links = createOneUseLinks();
  let isClosing = false;
  let port = options.port;
  const warn = (message: string) => onWarning(host.redact(message));
  const url = () => `http://${ADDRESS}:${port}`;
  const app = createApp({
    routes: createRoutes({
      ...{ host, sessions, environment, links, url, warn },
      store: options.store,
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
      streamLimits: { ...EVENT_STREAM_LIMITS, ...options.streamLimits },
      startedAt: Date.now(),
      isClosing: () => isClosing,
    }),
    mounts: options.mounts ?? {},
    authenticate: createAuthenticate(token, host.settings, environment),
    port: () => port,
    redact: host.redact,
    onBug: (error) =>
      warn(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  // Requests and responses are taken as Node's own classes make them: nothing global of an embedding program changes.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  port = await listenOnLoopback(server, port);
  const forgetToken = environment.TOOLPOST_TOKEN?.trim() ? undefined : keepToken(host.homeDir, port, token);

  async function close({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    isClosing = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const mounts = Object.values(options.mounts ?? {});
    const mountsIdle = Promise.all(mounts.map((mount) => mount.idle?.()));
    await Promise.all([
      sessions.close({ graceMs }),
      Promise.race([mountsIdle, sleep(graceMs, undefined, { ref: false })]),
    ]);
    for (const mount of mounts) mount.close?.();
    // What is followed has come to its end by itself; who does not read that is not waited for.
    await Promise.race([closed, sleep(FAREWELL_MS, undefined, { ref: false })]);
    server.closeAllConnections();
    await closed;
    forgetToken?.();
  }

  let closing: Promise<void> | undefined;
  return {
    port,
    url: url(),
    createLink: () => `${url()}/#${links.create(token)}`,
    close(how) {
      closing ??= close(how);
      return closing;
    },
  };
}

function createRoutes(parts: ServerParts): readonly Route[] {
  const routes = [sessionRoutes, turnRoutes, questionRoutes, toolRoutes, pluginRoutes, callRoutes].flatMap((make) =>
    make(parts),
  );
  return [...serverRoutes(parts, routes), ...routes];
}
