import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { callFunction, type GuestExports } from '../functions/call-function.ts';
import type { FunctionTool } from '../functions/function-tools.ts';
import { UnfitArgument } from '../functions/value-of-json.ts';
import type { GuestAnswer, GuestCall, GuestWorld } from './guest-world.ts';

/** A component of no world of ours: each function that it exports is a tool. */
export function plainFunctions(tools: readonly FunctionTool[]): GuestWorld {
  return {
    isExportedBy: () => tools.length > 0,
    createImports: () => ({}),
    open: (exports) => ({
      declare: () => tools.map(({ definition }) => definition),
      call: (call) => answer(tools, exports, call),
    }),
  };
}

function answer(tools: readonly FunctionTool[], exports: GuestExports, { toolName, input }: GuestCall): GuestAnswer {
  const tool = tools.find(({ definition }) => definition.name === toolName);
  if (!tool) return { kind: 'failed', message: `The component has no function for ${toolName}.` };
  try {
    return { kind: 'result', value: callFunction(exports, tool, objectOf(input)) };
  } catch (error) {
    if (error instanceof UnfitArgument) return { kind: 'failed', message: error.message };
    throw error;
  }
}

function objectOf(input: string): JsonObject {
  const value: unknown = JSON.parse(input);
  return isJsonObject(value) ? value : {};
}
