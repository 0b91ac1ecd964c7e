import { isJsonObject, type JsonObject } from '@toolpost/protocol';

const KEY = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVE = new Set(['string', 'integer', 'boolean']);
/** What a header may hold as it is: visible ASCII, blanks only inside. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** An argument that the server wants to see in a header of the request too (protocol 2026-07-28). */
interface MirroredParam {
  readonly path: readonly string[];
  readonly header: string;
}

/**
 * The headers that mirror a call's arguments. What a schema declares in another way than by the protocol mirrors
 * nothing: the server then says what it misses.
 */
export function paramHeaders(inputSchema: JsonObject, input: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of mirroredParams(inputSchema)) {
    const value = valueAt(input, path);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
      headers[PREFIX + header] = encodeHeader(String(value));
  }
  return headers;
}

function mirroredParams(schema: JsonObject, path: readonly string[] = []): MirroredParam[] {
  if (!isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    if (!isJsonObject(property)) return [];
    const here = [...path, key];
    const header = property[KEY];
    const own =
      typeof header === 'string' && TOKEN.test(header) && PRIMITIVE.has(String(property.type))
        ? [{ path: here, header }]
        : [];
    return [...own, ...mirroredParams(property, here)];
  });
}

function valueAt(input: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    input,
  );
}

function encodeHeader(value: string): string {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
