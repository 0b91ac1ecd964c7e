/** A client of MCP that is connected to a server, in either version of the SDK. */
export interface McpPeer {
  call(name: string, input: Record<string, unknown>): Promise<unknown>;
  listTools(): Promise<unknown>;
  close(): Promise<void>;
}
