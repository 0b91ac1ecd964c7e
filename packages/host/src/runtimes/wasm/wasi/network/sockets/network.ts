import type { IoError } from '../../io/io-error.ts';

/** The resource `network` of wasi:sockets: the right to ask. What is allowed is the host's to say, each time. */
export class Network {}

export function createNetworkInterfaces() {
  return {
    'wasi:sockets/network': { Network, networkErrorCode: (error: IoError) => error.codes.network },
    'wasi:sockets/instance-network': { instanceNetwork: () => new Network() },
  };
}
