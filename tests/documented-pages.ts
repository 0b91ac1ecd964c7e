/** The pages whose commands are run, each with the packages that it says to install. */
export const PAGES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [],
  'docs/embed-the-host.md': ['@toolpost/host', '@toolpost/sdk'],
  'docs/mcp.md': [],
  'docs/mcp-servers.md': [],
  'docs/models.md': [],
  'docs/permissions.md': [],
  'docs/the-call-path.md': [],
  'docs/write-a-channel.md': ['@toolpost/sdk'],
  'docs/write-a-tool-in-typescript.md': ['arktype', '@toolpost/sdk'],
  'docs/write-a-wasm-tool.md': ['@toolpost/sdk', 'componentize-qjs', 'rolldown', 'zod'],
  'packages/cli/README.md': ['@toolpost/sdk'],
  'packages/host/README.md': ['@toolpost/host', '@toolpost/sdk'],
  'packages/protocol/README.md': ['@toolpost/protocol'],
  'packages/sdk/README.md': ['@toolpost/sdk'],
};
