import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostError } from '@toolpost/protocol';

export const ADDRESS = '127.0.0.1';

/**
 * Listens on this machine's own address, and on no other one. Gives the port.
 * @throws HostError SERVER_FAILED that says why and what to do.
 */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(
      new HostError('SERVER_FAILED', `the server cannot listen on ${ADDRESS}:${port}: ${reasonOf(error)}`, {
        cause: error,
      }),
    );
  });
  server.listen(port, ADDRESS, () => resolve((server.address() as AddressInfo).port));
  return promise;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the port is in use. Choose another with --port, or end what uses it';
  if (code === 'EACCES') return 'this user may not use the port. Choose one from 1024 on with --port';
  return message;
}
