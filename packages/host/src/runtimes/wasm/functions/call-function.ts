import { isJsonObject, type JsonObject, type ToolResult } from '@toolpost/protocol';
import type { FunctionType, ValueType } from '../component/component-types.ts';
import type { FunctionTool } from './function-tools.ts';
import { guestName } from './guest-names.ts';
import { jsonOfValue } from './json-of-value.ts';
import { argumentsOfJson } from './value-of-json.ts';

/** The exports of an instantiated component, as the transpiled code gives them. */
export type GuestExports = Readonly<Record<string, unknown>>;

/**
 * Calls a function of the component. Its `err` is an error result; a trap is thrown on.
 * @throws UnfitArgument for an argument that the type does not take.
 */
export function callFunction(exports: GuestExports, tool: FunctionTool, input: JsonObject): ToolResult {
  const { type, interfaceName, functionName } = tool;
  const owner = interfaceName === undefined ? exports : exports[interfaceName];
  const run = typeof owner === 'object' && owner !== null ? Reflect.get(owner, guestName(functionName)) : undefined;
  if (typeof run !== 'function') throw new Error(`the component does not export ${functionName}`);
  const values = argumentsOfJson(type.parameters, input);
  try {
    return resultOf(type, Reflect.apply(run, owner, values));
  } catch (error) {
    const failure = type.result?.kind === 'result' ? payloadOf(error) : undefined;
    if (failure === undefined) throw error;
    return {
      ...textResult(type.result?.kind === 'result' ? type.result.err : undefined, failure.payload),
      isError: true,
    };
  }
}

/** The `err` of a result is thrown as it is, or in an error that carries it; a trap is an error that carries nothing. */
function payloadOf(error: unknown): { payload: unknown } | undefined {
  if (!(error instanceof Error)) return { payload: error };
  return 'payload' in error ? { payload: error.payload } : undefined;
}

function resultOf({ result }: FunctionType, value: unknown): ToolResult {
  const type = result?.kind === 'result' ? result.ok : result;
  return { ...textResult(type, value), isError: false };
}

function textResult(type: ValueType | undefined, value: unknown): Omit<ToolResult, 'isError'> {
  if (type === undefined) return { content: [{ type: 'text', text: '(no result)' }] };
  const json = jsonOfValue(type, value);
  if (typeof json === 'string' && type.kind === 'string') return { content: [{ type: 'text', text: json }] };
  const structuredContent = type.kind === 'record' && isJsonObject(json) ? json : { result: json };
  return { content: [{ type: 'text', text: JSON.stringify(json) }], structuredContent };
}
