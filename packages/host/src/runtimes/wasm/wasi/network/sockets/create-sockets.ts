import type { NetLink } from '../net-link.ts';
import { createNameLookup } from './ip-name-lookup.ts';
import type { IpAddressFamily } from './ip-socket-address.ts';
import { createNetworkInterfaces } from './network.ts';
import { TcpSocket } from './tcp-socket.ts';
import { createUdpSocket, IncomingDatagramStream, OutgoingDatagramStream, UdpSocket } from './udp.ts';

/** wasi:sockets for a guest: lookups and outgoing TCP connections; the rest is there and denied. */
export function createSockets(net: NetLink) {
  function createTcpSocket(family: IpAddressFamily): TcpSocket {
    return new TcpSocket(net, family);
  }

  return {
    ...createNetworkInterfaces(),
    ...createNameLookup(net),
    'wasi:sockets/tcp': { TcpSocket },
    'wasi:sockets/tcp-create-socket': { createTcpSocket },
    'wasi:sockets/udp': { UdpSocket, IncomingDatagramStream, OutgoingDatagramStream },
    'wasi:sockets/udp-create-socket': { createUdpSocket },
  };
}
