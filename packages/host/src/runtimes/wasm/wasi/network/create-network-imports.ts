import type { HostLink } from '../../host-link.ts';
import { createHttp } from './http/create-http.ts';
import { createNetLink } from './net-link.ts';
import { createSockets } from './sockets/create-sockets.ts';

/**
 * The interfaces of wasi:http and wasi:sockets for one guest, by name as jco asks for them. The host's side of `link`
 * serves the handlers of `createNetwork`, which decides what is allowed.
 */
export function createNetworkImports(link: HostLink) {
  const net = createNetLink(link);
  return { ...createHttp(net), ...createSockets(net) };
}
