// MCP's own server on stdio, as bare as its documentation shows it: argument 2 is how many tools it has beside `echo`.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { addTools } from './mcp-tools.js';

serveStdio(() => addTools(new McpServer({ name: 'bench', version: '1.0.0' }), Number(process.argv[2] ?? 0)));
