import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';

/** Where a browser comes back to after a sign-in. */
export interface Callback {
  readonly url: string;
  /** The query that it came with. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens on the loopback interface for one redirect that carries `state`; anything else is refused and changes nothing.
 * @param state - a secret of this one sign-in
 */
export async function listenForCallback(state: string): Promise<Callback> {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const query = queryOf(request, state);
    reply(response, query);
    if (query) resolve(query);
  });
  await new Promise<void>((done, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}${PATH}`, answer, close };
}

function queryOf({ method, url = '' }: IncomingMessage, state: string): URLSearchParams | undefined {
  const parsed = URL.parse(url, 'http://127.0.0.1');
  const isOurs = method === 'GET' && parsed?.pathname === PATH && parsed.searchParams.get('state') === state;
  return isOurs ? parsed.searchParams : undefined;
}

function reply(response: ServerResponse, query: URLSearchParams | undefined): void {
  const text = !query
    ? 'This is not the answer to a sign-in of Toolpost.'
    : query.has('code')
      ? 'Toolpost has the answer. You can close this page.'
      : 'The sign-in was refused. Toolpost says why.';
  response.writeHead(query ? 200 : 400, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(text);
}
