import { isJsonObject, type JsonObject, type ToolDefinition } from '@toolpost/protocol';
import { META_KEYS, metaOf } from '../protocol-era.ts';
import type { RpcRequest } from '../read-message.ts';
import { RPC_CODES, RpcError } from '../rpc-error.ts';
import type { HttpRequest } from './http-exchange.ts';

/** The member of `params` that a request's `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** @throws RpcError when header and body name different versions: before either is believed. */
export function assertSameVersion({ params }: RpcRequest, request: HttpRequest): void {
  const version = metaOf(params)?.[META_KEYS.protocolVersion];
  const header = headerOf(request, 'mcp-protocol-version');
  if (header !== undefined && typeof version === 'string' && header !== version)
    throw mismatch('MCP-Protocol-Version', `it says ${header}, and the body ${version}`);
}

/**
 * The headers that repeat what the body says, for what stands between client and server and reads no bodies: they have
 * to be there and to be true.
 * @throws RpcError headerMismatch that names the header.
 */
export function assertStandardHeaders({ method, params }: RpcRequest, request: HttpRequest): void {
  if (headerOf(request, 'mcp-protocol-version') === undefined) throw mismatch('MCP-Protocol-Version', 'it is missing');
  const said = headerOf(request, 'mcp-method');
  if (said === undefined) throw mismatch('Mcp-Method', 'it is missing');
  if (said !== method) throw mismatch('Mcp-Method', `it says ${said}, and the body ${method}`);
  const member = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = member === undefined ? undefined : params[member];
  if (typeof name === 'string') assertHeader(request, 'Mcp-Name', name);
}

/**
 * Arguments that a tool's schema wants repeated as `Mcp-Param-...` (`x-mcp-header`).
 * @throws RpcError headerMismatch that names the header.
 */
export function assertParamHeaders(definition: ToolDefinition, given: unknown, request: HttpRequest): void {
  for (const { header, path } of paramHeadersOf(definition)) {
    const value = valueAt(given, path);
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      assertHeader(request, `Mcp-Param-${header}`, value);
  }
}

function assertHeader(request: HttpRequest, name: string, value: string | boolean | number): void {
  const header = headerOf(request, name.toLowerCase());
  if (header === undefined) throw mismatch(name, `it is missing, and the body says ${JSON.stringify(value)}`);
  const said = decoded(header);
  if (said === undefined) throw mismatch(name, 'its Base64 is wrong');
  const isSame = typeof value === 'number' && said.trim() !== '' ? Number(said) === value : said === String(value);
  if (!isSame) throw mismatch(name, `it says ${JSON.stringify(said)}, and the body ${JSON.stringify(value)}`);
}

/** Texts that no header can carry come as `=?base64?...?=`. */
function decoded(header: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (base64 === undefined) return header;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}

function headerOf(request: HttpRequest, name: string): string | undefined {
  return request.header(name)?.replace(/^[ \t]+|[ \t]+$/g, '');
}

function mismatch(header: string, problem: string): RpcError {
  return new RpcError(RPC_CODES.headerMismatch, `the header ${header} is not what the request is: ${problem}`, {
    mismatch: { header, problem },
  });
}

interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const paramHeaders = new WeakMap<ToolDefinition, readonly ParamHeader[]>();

function paramHeadersOf(definition: ToolDefinition): readonly ParamHeader[] {
  const known = paramHeaders.get(definition);
  if (known) return known;
  const found = declaredIn(definition.inputSchema, []);
  paramHeaders.set(definition, found);
  return found;
}

function declaredIn({ properties }: JsonObject, path: readonly string[]): ParamHeader[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isJsonObject(schema)) return [];
    const header = schema['x-mcp-header'];
    const here = [...path, name];
    // A name that no header can have is a fault of the schema, for which no call is refused.
    const isName = typeof header === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(header);
    const own = isName ? [{ header, path: here }] : [];
    return [...own, ...declaredIn(schema, here)];
  });
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  let value = given;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
