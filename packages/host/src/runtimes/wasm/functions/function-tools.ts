import type { ToolDefinition } from '@toolpost/protocol';
import type { ComponentItem, FunctionType } from '../component/component-types.ts';
import type { ComponentOutline } from '../component/read-component.ts';
import { withoutVersion } from '../component/without-version.ts';
import { type PackageDocs, readPackageDocs } from './package-docs.ts';
import { signatureOf } from './signature.ts';
import { NoSchema, objectSchema, schemaOf } from './type-schema.ts';

/** A function that a component exports, as a tool. All of it can be kept as JSON. */
export interface FunctionTool {
  readonly definition: ToolDefinition;
  /** The exported interface that has the function, without its version; undefined when the function is an export itself. */
  readonly interfaceName?: string;
  readonly functionName: string;
  readonly type: FunctionType;
}

export interface FunctionTools {
  readonly tools: readonly FunctionTool[];
  /** Functions that cannot be tools, one sentence each. */
  readonly problems: readonly string[];
}

interface ExportedFunction {
  readonly interfaceName?: string;
  readonly functionName: string;
  readonly type: FunctionType;
}

/** What the JavaScript tool chain exports for itself. */
const TOOLCHAIN_INIT =
  'init: func(shim: string, script: string, entry-path: option<string>, disable-gc: bool) -> result<_, string>';

/** The functions that a component exports, by themselves or in interfaces: each is a tool. */
export function functionTools(outline: ComponentOutline): FunctionTools {
  const docs = readPackageDocs(outline.customSections);
  const tools: FunctionTool[] = [];
  const problems: string[] = [];
  for (const exported of exportedFunctions(outline)) {
    const taken = (name: string) => tools.some(({ definition }) => definition.name === name);
    try {
      tools.push({ ...exported, definition: define(exported, nameOf(exported, taken), docs) });
    } catch (error) {
      if (!(error instanceof NoSchema)) throw error;
      problems.push(`the function ${exported.functionName} is no tool: it ${error.message}`);
    }
  }
  return { tools, problems };
}

/** Methods of resources need the resource, and what WASI defines is not the plugin's own. */
function exportedFunctions({ exports }: ComponentOutline): ExportedFunction[] {
  return [...exports].flatMap(([name, item]) => {
    if (item.sort === 'function') return isOwn(name, item) ? [{ functionName: name, type: item.type }] : [];
    if (item.sort !== 'instance' || name.startsWith('wasi:')) return [];
    return [...item.items].flatMap(([functionName, inner]) =>
      inner.sort === 'function' && !functionName.startsWith('[')
        ? [{ interfaceName: withoutVersion(name), functionName, type: inner.type }]
        : [],
    );
  });
}

function isOwn(name: string, item: ComponentItem & { sort: 'function' }): boolean {
  return !name.startsWith('[') && `${name}: ${signatureOf(item.type)}` !== TOOLCHAIN_INIT;
}

/** `add`; in an interface `demo:calc/sums@1.0.0` `sums_add`, and `demo-calc-sums_add` where that is taken. */
function nameOf({ interfaceName, functionName }: ExportedFunction, taken: (name: string) => boolean): string {
  if (interfaceName === undefined) return functionName;
  const short = `${ownName(interfaceName)}_${functionName}`;
  return taken(short) ? `${interfaceName.replaceAll(/[:/]/g, '-')}_${functionName}` : short;
}

function ownName(interfaceName: string): string {
  return interfaceName.replace(/^.*\//, '');
}

function define(exported: ExportedFunction, name: string, docs: PackageDocs): ToolDefinition {
  const { interfaceName, functionName, type } = exported;
  const documented =
    interfaceName === undefined
      ? docs.ofFunction(functionName)
      : docs.ofInterfaceFunction(ownName(interfaceName), functionName);
  const outputSchema = outputSchemaOf(type);
  return {
    name,
    description: documented ?? `${functionName}: ${signatureOf(type)}`,
    inputSchema: objectSchema(type.parameters, 'input'),
    ...(outputSchema && { outputSchema }),
  };
}

/** Structured content is an object: what is none stands in one under `result`. A text is only text. */
function outputSchemaOf({ result }: FunctionType): ToolDefinition['outputSchema'] {
  const value = result?.kind === 'result' ? result.ok : result;
  if (result?.kind === 'result' && result.err) schemaOf(result.err, 'output');
  if (value === undefined || value.kind === 'string') return undefined;
  const schema = schemaOf(value, 'output');
  return value.kind === 'record' ? schema : { type: 'object', properties: { result: schema }, required: ['result'] };
}
