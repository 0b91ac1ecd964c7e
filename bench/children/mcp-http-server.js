// MCP's own server over HTTP, on the adapter that it is documented with; says its port on standard error.
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { addTools } from './mcp-tools.js';

const count = Number(process.argv[2] ?? 0);
const handler = createMcpHandler(() => addTools(new McpServer({ name: 'bench', version: '1.0.0' }), count));
serve({ fetch: (request) => handler.fetch(request), hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  process.stderr.write(`listening at http://127.0.0.1:${port}/\n`),
);
