import type { JsonObject, ToolResult } from '@toolpost/protocol';
import type { Tool } from '../define/define-tool.ts';
import { errorMessage, toToolResult } from '../results/to-tool-result.ts';
import { newToolError } from '../results/tool-results.ts';
import type { ToolCallContext } from '../tool-call-context.ts';
import { checkInput } from './check-input.ts';
import { createTestContext } from './test-context.ts';

/**
 * Calls a tool as a host would: the input goes through JSON and the schema's first rules, whatever the tool gives or
 * throws comes back as a result.
 */
export async function callTool<Input>(
  tool: Tool<Input>,
  input: NoInfer<Input>,
  { context }: { context?: ToolCallContext } = {},
): Promise<ToolResult> {
  const text = JSON.stringify(input ?? {});
  const parsed: JsonObject = JSON.parse(text);
  const problems = checkInput(tool.inputSchema, parsed);
  if (problems.length > 0) return newToolError(`invalid input: ${problems.join('; ')}`);
  try {
    return toToolResult(await tool.execute(parsed, context ?? createTestContext({ input: text })));
  } catch (error) {
    return newToolError(errorMessage(error));
  }
}
