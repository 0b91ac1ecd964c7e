import type { JsonObject, ToolDefinition } from '@toolpost/protocol';

/** The value that stands beside a tool's name in a client: that of its primary argument, when it is text (seed B). */
export function displayArgOf({ primaryArg }: ToolDefinition, input: JsonObject): string | undefined {
  if (primaryArg === undefined || !Object.hasOwn(input, primaryArg)) return undefined;
  const value = input[primaryArg];
  return typeof value === 'string' ? value : undefined;
}
