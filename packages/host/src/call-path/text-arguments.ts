import type { ToolCall } from '@toolpost/protocol';

/** Some providers leave out the arguments of a tool without parameters, and programs without types pass an object. */
export function withTextArguments(call: ToolCall): ToolCall {
  const given: unknown = call.arguments;
  if (typeof given === 'string') return call;
  return { ...call, arguments: given === undefined ? '' : quoteArguments(given) };
}

function quoteArguments(given: unknown): string {
  try {
    return JSON.stringify(given) ?? String(given);
  } catch (error) {
    return `arguments that are not JSON: ${error instanceof Error ? error.message : 'unreadable'}`;
  }
}
