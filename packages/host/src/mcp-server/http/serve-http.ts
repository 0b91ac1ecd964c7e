import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Host } from '../../host.ts';
import { assertOwnAddress } from '../../server/guard.ts';
import { ADDRESS, listenOnLoopback } from '../../server/listen-on-loopback.ts';
import { createAuthenticate, type Principal } from '../../server/principal.ts';
import { Problem, problemResponse, toProblem } from '../../server/problem.ts';
import { SECURITY_HEADERS } from '../../server/security-headers.ts';
import { keepToken } from '../../server/server-token.ts';
import { createMcpHttp } from './mcp-http.ts';
import { answerMcp } from './mcp-mount.ts';

export interface ServeHttpOptions {
  readonly host: Host;
  /** The operator's bearer token: `createServerToken`. */
  readonly token: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** The channel of the sessions. */
  readonly channel: string;
  /** Where tokens of tenants come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Shortens every call's own limit, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Gets what the operator should know, as one text. */
  readonly onWarning?: (message: string) => void;
}

export interface McpHttpServer {
  readonly port: number;
  /** Where clients find it. */
  readonly url: string;
  /** Cancels what runs, and resolves when nothing listens. Leaves the host open. */
  close(): Promise<void>;
}

const PATH = '/mcp';

/**
 * Serves tools over MCP on 127.0.0.1, to who has a token: sessions belong to its tenant and user.
 * @throws HostError SERVER_FAILED when it cannot listen, CONFIG_INVALID for tokens that cannot be told apart.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<McpHttpServer> {
  const { host, token, channel, timeoutMs, environment = process.env, onWarning = () => undefined } = options;
  const authenticate = createAuthenticate(token, host.settings, environment);
  const onBug = (error: unknown) =>
    onWarning(host.redact(`a request failed: ${error instanceof Error ? error.stack : String(error)}`));
  let calls = 0;
  const mcp = createMcpHttp({ host, channel, timeoutMs, onBug, createCallId: () => `mcp-${++calls}` });
  let port = options.port;

  /** @throws Problem that says why the request is not answered. */
  function admit(request: IncomingMessage): Principal {
    const { headers, url = '' } = request;
    assertOwnAddress(request, port);
    const principal = authenticate(headers.authorization);
    if (!principal) throw new Problem(401, 'UNAUTHORIZED', 'this needs a token: send "Authorization: Bearer TOKEN"');
    if (url !== PATH && !url.startsWith(`${PATH}?`)) throw new Problem(404, 'NOT_FOUND', `MCP is at ${PATH} here`);
    return principal;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await answerMcp(mcp, { request, response, principal: admit(request) });
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || request.destroyed) response.destroy();
      else void refuse(response, problemResponse(toProblem(error, onBug), host.redact));
    });
  });
  port = await listenOnLoopback(server, port);
  const forgetToken = environment.TOOLPOST_TOKEN?.trim() ? undefined : keepToken(host.homeDir, port, token);

  return {
    port,
    url: `http://${ADDRESS}:${port}${PATH}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      mcp.close();
      // Answers that were cancelled go out; who does not read them is not waited for.
      const timer = setTimeout(() => server.closeAllConnections(), 500);
      server.closeIdleConnections();
      await closed;
      clearTimeout(timer);
      forgetToken?.();
    },
  };
}

async function refuse(response: ServerResponse, problem: Response): Promise<void> {
  const headers = { ...SECURITY_HEADERS, ...Object.fromEntries(problem.headers) };
  response.writeHead(problem.status, headers).end(await problem.text());
}
