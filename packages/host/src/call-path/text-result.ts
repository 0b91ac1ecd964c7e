import type { ToolResult } from '@toolpost/protocol';

/** A result of one text. A cut inside an emoji may have left half of it, which no provider takes. */
export function textResult(text: string, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text: text.toWellFormed() }], isError };
}
