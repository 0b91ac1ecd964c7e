import type { ToolResult } from '@toolpost/protocol';

export function textResult(text: string, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}
