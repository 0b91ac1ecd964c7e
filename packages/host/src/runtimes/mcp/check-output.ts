import { isJsonObject, type ToolDefinition } from '@toolpost/protocol';
import type { RuntimeContext } from '../runtime.ts';

/**
 * Says when a result is not what the tool's output schema promised: in the plugin's log, and in the metadata for clients.
 * The model gets the result all the same.
 */
export async function checkOutput(tool: ToolDefinition, result: unknown, context: RuntimeContext): Promise<unknown> {
  if (!tool.outputSchema || !context.checkOutput || !isJsonObject(result) || result.isError === true) return result;
  const problem =
    result.structuredContent === undefined
      ? 'it has no structured content'
      : await context.checkOutput(tool.outputSchema, result.structuredContent);
  if (problem === undefined) return result;
  context.log(`the result of ${tool.name} does not match its output schema: ${problem}`, 'warn');
  const metadata = isJsonObject(result.metadata) ? result.metadata : {};
  return { ...result, metadata: { ...metadata, outputSchemaProblem: problem } };
}
