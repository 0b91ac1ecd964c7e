import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { HostError } from '@toolpost/protocol';
import { assembleApp } from './assemble-app.ts';
import { assertSameOrigin } from './guard.ts';
import type { Principal } from './principal.ts';
import type { Identity, ServerApp, ServerAppOptions } from './serve.ts';

/** The API of a host behind a door that the embedding program keeps. It has no pages and no tokens of its own. */
export function makeServerApp(options: ServerAppOptions): ServerApp {
  const { environment = process.env, origins = [], url = '/' } = options;
  const door = {
    assertAddress: (incoming: IncomingMessage) => assertSameOrigin(incoming, origins),
    async authenticate(request: Request, incoming: IncomingMessage): Promise<Principal | undefined> {
      const identity = await options.authorize(request, incoming);
      return identity && toPrincipal(identity);
    },
  };
  const { app, end } = assembleApp(options, { door, environment, url: () => url });
  // Nothing global of the embedding program changes.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return {
    fetch: (request, bindings) => app.fetch(request, nodeBindings(bindings)),
    handle: (incoming, outgoing) => void listener(incoming, outgoing),
    close: ({ graceMs = 0 } = {}) => end(graceMs),
  };
}

/** A tenant that was forgotten would be one that everybody shares. */
function toPrincipal({ tenant, user = '', isOperator = false }: Identity): Principal {
  if (typeof tenant !== 'string' || (tenant === '' && !isOperator))
    throw new TypeError('authorize gave no tenant: give its id, or undefined for who is not known');
  return { tenant, user, isOperator };
}

/** Events are written to Node's own response, at the pace of the reader. */
function nodeBindings(bindings: unknown): HttpBindings {
  if (hasNode(bindings)) return bindings;
  throw new HostError(
    'SERVER_FAILED',
    'the fetch of createServerApp needs the bindings of @hono/node-server as its second argument; elsewhere use its handle',
  );
}

function hasNode(bindings: unknown): bindings is { incoming: HttpBindings['incoming']; outgoing: ServerResponse } {
  return typeof bindings === 'object' && bindings !== null && 'incoming' in bindings && 'outgoing' in bindings;
}
