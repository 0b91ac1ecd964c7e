import type { McpHttpServer, ServeHttpOptions } from './http/serve-http.ts';

/**
 * Serves tools over MCP on 127.0.0.1. What serves HTTP is loaded when this is called.
 * @throws HostError SERVER_FAILED when it cannot listen, CONFIG_INVALID for tokens that cannot be told apart.
 */
export async function serveMcpHttp(options: ServeHttpOptions): Promise<McpHttpServer> {
  const { serveHttp } = await import('./http/serve-http.ts');
  return serveHttp(options);
}
