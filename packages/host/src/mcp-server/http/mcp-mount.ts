import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mount } from '../../server/mount.ts';
import type { Principal } from '../../server/principal.ts';
import { Problem } from '../../server/problem.ts';
import { SECURITY_HEADERS } from '../../server/security-headers.ts';
import { createMcpHttp, type McpHttp, type McpHttpParts } from './mcp-http.ts';
import { MAX_BODY_BYTES, nodeReply, nodeRequest, readBody } from './node-exchange.ts';

/** MCP as a part of a server that knows who asks. */
export function createMcpMount(parts: McpHttpParts): Mount {
  const mcp = createMcpHttp(parts);
  const answering = new Set<ServerResponse>();
  const onIdle: (() => void)[] = [];

  /** A call is answered by the response to its own POST; a stream for news may stay open for ever. */
  function follow(response: ServerResponse): void {
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      if (answering.size === 0) for (const listener of onIdle.splice(0)) listener();
    });
  }

  return {
    handle(request, response, principal) {
      if (request.method === 'POST') follow(response);
      return answerMcp(mcp, { request, response, principal });
    },
    idle: () => (answering.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    close: () => mcp.close(),
  };
}

export interface McpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
}

/** @throws Problem for a body that is too long. */
export async function answerMcp(mcp: McpHttp, { request, response, principal }: McpExchange): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request) : '';
  if (body === undefined) throw new Problem(413, 'REQUEST_INVALID', `the body is longer than ${MAX_BODY_BYTES} bytes`);
  mcp.handle(nodeRequest(request, principal, body), nodeReply(response, SECURITY_HEADERS));
}
