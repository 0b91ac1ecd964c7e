import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { assembleApp } from './assemble-app.ts';
import { assertOwnAddress } from './guard.ts';
import { ADDRESS, listenOnLoopback } from './listen-on-loopback.ts';
import { createOneUseLinks } from './one-use-links.ts';
import { createAuthenticate } from './principal.ts';
import type { ServerOptions, ToolpostServer } from './serve.ts';
import { keepToken } from './server-token.ts';
import { findWebClient } from './web-client.ts';

/** So long a client may take to read the end of what it follows. */
const FAREWELL_MS = 1000;

/** Starts the server on this machine's own address, and on no other one. */
export async function startServer(options: ServerOptions): Promise<ToolpostServer> {
  const { host, token, environment = process.env } = options;
  const links = createOneUseLinks();
  const clientDir = options.servesClient === false ? undefined : findWebClient();
  let port = options.port;
  const url = () => `http://${ADDRESS}:${port}`;
  const authenticate = createAuthenticate(token, host.settings, environment);
  const door = {
    assertAddress: (request: Parameters<typeof assertOwnAddress>[0]) => assertOwnAddress(request, port),
    authenticate: ({ headers }: Request) => authenticate(headers.get('authorization') ?? undefined),
  };
  const { app, end } = assembleApp(options, { door, environment, url, links, clientDir });
  // Requests and responses are taken as Node's own classes make them: nothing global of an embedding program changes.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  port = await listenOnLoopback(server, port);
  const forgetToken = environment.TOOLPOST_TOKEN?.trim() ? undefined : keepToken(host.homeDir, port, token);

  async function close({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await end(graceMs);
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
