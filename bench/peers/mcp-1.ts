import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Program } from '../children.ts';
import { type Greeting, greet } from '../workload.ts';
import type { McpPeer } from './mcp-peer.ts';

const INFO = { name: 'bench', version: '1.0.0' };
const GREETING = { name: z.string(), times: z.number().int(), isLoud: z.boolean().optional() };

/** Client and server of MCP's TypeScript SDK 1.x in one process. */
export async function connectInMemory(): Promise<McpPeer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new McpServer(INFO);
  server.registerTool('greet', { description: 'Greets.', inputSchema: GREETING }, (input: Greeting) => ({
    content: [{ type: 'text', text: greet(input) }],
  }));
  const client = new Client(INFO);
  await Promise.all([server.connect(far), client.connect(near)]);
  return peerOf(client);
}

export async function connectToChild({ executable, args }: Program): Promise<McpPeer> {
  const client = new Client(INFO);
  await client.connect(new StdioClientTransport({ command: executable, args: [...args] }));
  return peerOf(client);
}

/** A server with so many tools, and the transport at its other end: nothing of a client is measured. */
export async function serveManyTools(count: number): Promise<InMemoryTransport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new McpServer(INFO);
  for (let index = 0; index < count; index += 1)
    server.registerTool(`tool_${index}`, { description: `Tool number ${index}.`, inputSchema: GREETING }, () => ({
      content: [],
    }));
  await Promise.all([server.connect(far), near.start()]);
  return near;
}

function peerOf(client: Client): McpPeer {
  return {
    call: (name, input) => client.callTool({ name, arguments: input }),
    listTools: () => client.listTools(),
    close: () => client.close(),
  };
}
