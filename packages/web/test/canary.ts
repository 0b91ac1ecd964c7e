import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that nothing should ever reach: it keeps what came, by the first part of its path. */
export interface Canary {
  readonly url: string;
  /** For `host:port` of a peer connection's server. */
  readonly udp: string;
  /** What was reached: first parts of paths, and `udp`. */
  readonly reached: ReadonlySet<string>;
  /** Waits until something has reached `name`. */
  reach(name: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const reached = new Set<string>();
  const arrivals = new EventEmitter();
  const arrive = (name: string) => {
    reached.add(name);
    arrivals.emit('arrival');
  };
  const server = createServer(({ url = '' }, response) => {
    arrive(/^\/([\w-]+)/.exec(url)?.[1] ?? url);
    response.setHeader('access-control-allow-origin', '*');
    response.end('');
  });
  server.on('upgrade', ({ url = '' }, socket) => {
    arrive(/^\/([\w-]+)/.exec(url)?.[1] ?? url);
    socket.destroy();
  });
  const socket = createSocket('udp4', () => arrive('udp'));
  server.listen(0, '127.0.0.1');
  socket.bind(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    udp: `127.0.0.1:${socket.address().port}`,
    reached,
    async reach(name) {
      const signal = AbortSignal.timeout(15_000);
      const tooLate = () => Promise.reject(new Error(`nothing came to ${name}`));
      while (!reached.has(name)) await once(arrivals, 'arrival', { signal }).catch(tooLate);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      socket.close();
      await Promise.all([once(server, 'close'), once(socket, 'close')]);
    },
  };
}
