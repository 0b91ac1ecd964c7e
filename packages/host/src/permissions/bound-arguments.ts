import type { JsonObject } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';

/**
 * What a remembered yes is bound to: all final arguments. Of the built-in `bash` it is the very text of the command
 * line: how a model describes it and how long it may take change nothing about what it does.
 */
export function boundArguments({ plugin, definition }: RegisteredTool, input: JsonObject): JsonObject {
  const { command } = input;
  const isShell = plugin.origin === 'builtin' && definition.name === 'bash';
  return isShell && typeof command === 'string' ? { command } : input;
}
