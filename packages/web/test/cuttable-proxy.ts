import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: what is open breaks, and what comes is refused until it is mended. */
export async function startCuttableProxy(serverPort: number) {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(serverPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    // The server answers under its own address alone.
    client.on('data', (chunk) => {
      upstream.write(Buffer.from(chunk.toString('latin1').replaceAll(`:${port}`, `:${serverPort}`), 'latin1'));
    });
    upstream.pipe(client);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}
