import { type HostLink, LinkRefusal } from '../../host-link.ts';
import type { NetPayload, NetReply, NetRequests } from '../../network/net-messages.ts';
import { createIoScope, type IoScope } from '../io/io-scope.ts';
import { Channel } from './channel.ts';

/** The worker's way to the host's network. */
export interface NetLink {
  readonly scope: IoScope;
  /** @throws LinkRefusal whose payload is the guest's error code. */
  request<Kind extends keyof NetRequests>(kind: Kind, payload: NetPayload<Kind>): NetReply<Kind>;
  /** Starts something that takes time. @throws LinkRefusal */
  open<Kind extends 'net.http' | 'net.lookup' | 'net.connect'>(kind: Kind, payload: NetPayload<Kind>): Channel;
}

/** Nothing is asked of the host before the guest uses the network. */
export function createNetLink(link: HostLink): NetLink {
  let flags: Int32Array | undefined;

  function request<Kind extends keyof NetRequests>(kind: Kind, payload: NetPayload<Kind>): NetReply<Kind> {
    // `createNetwork` answers with the types that stand in NetRequests.
    return link.request(kind, payload) as NetReply<Kind>;
  }

  const net: NetLink = {
    scope: createIoScope(link.wake),
    request,
    open(kind, payload) {
      flags ??= new Int32Array(request('net.open', { wake: link.wake }));
      return new Channel(net, { number: request(kind, payload), flags });
    },
  };
  return net;
}

/** Runs `action`, and throws the guest's error code instead of the refusal that carries it. */
export function withGuestCode<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof LinkRefusal && error.payload !== undefined ? error.payload : error;
  }
}
