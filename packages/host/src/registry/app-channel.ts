/**
 * The channel of calls that a page by MCP Apps makes: tools that are for pages alone are in it, and no conversation is.
 */
export const APP_CHANNEL = 'mcp-app';
