import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';

const KEY = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVE = new Set(['string', 'integer', 'boolean']);
/** What a header may hold as it is: visible ASCII, blanks only inside. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** Keywords of which a subschema may or may not apply, so that nothing below them is an argument for certain. */
const UNCERTAIN = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['patternProperties', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$defs'],
];

/** An argument that the server wants to see in a header of the request too (protocol 2026-07-28, SEP-2243). */
interface MirroredParam {
  readonly path: readonly string[];
  readonly header: unknown;
  readonly type: unknown;
  /** It is an argument for certain. */
  readonly isCertain: boolean;
}

/** The headers that mirror a call's arguments, by a schema in which `paramHeaderProblem` found nothing. */
export function paramHeaders(inputSchema: JsonObject, input: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of mirroredParams(inputSchema)) {
    const value = valueAt(input, path);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
      headers[PREFIX + String(header)] = encodeHeader(String(value));
  }
  return headers;
}

/** Why a schema's headers cannot be sent: a client over HTTP has to leave such a tool out. Undefined when they can. */
export function paramHeaderProblem(inputSchema: JsonObject): string | undefined {
  const seen = new Set<string>();
  for (const { path, header, type, isCertain } of mirroredParams(inputSchema)) {
    const place = `${KEY} of ${path.join('.') || 'the schema itself'}`;
    if (!isCertain || path.length === 0) return `${place} stands where no argument is for certain`;
    if (typeof header !== 'string' || !TOKEN.test(header)) return `${place} is no header's name: ${quoteValue(header)}`;
    if (!PRIMITIVE.has(String(type)))
      return `${place}: its type is ${quoteValue(type)}, not string, integer or boolean`;
    if (seen.has(header.toLowerCase())) return `${place}: another argument has the header ${quoteValue(header)}`;
    seen.add(header.toLowerCase());
  }
  return undefined;
}

function mirroredParams(schema: unknown, path: readonly string[] = [], isCertain = true): MirroredParam[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => mirroredParams(one, path, false));
  if (!isJsonObject(schema)) return [];
  const own = KEY in schema ? [{ path, header: schema[KEY], type: schema.type, isCertain }] : [];
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...own,
    ...properties.flatMap(([key, property]) => mirroredParams(property, [...path, key], isCertain)),
    ...UNCERTAIN.flatMap((key) => (key in schema ? belowUncertain(schema[key], [...path, key]) : [])),
  ];
}

/** Under these, a schema, a list of them, or several by name. */
function belowUncertain(value: unknown, path: readonly string[]): MirroredParam[] {
  const named = isJsonObject(value) ? Object.values(value).filter(isJsonObject) : [];
  return [...mirroredParams(value, path, false), ...named.flatMap((one) => mirroredParams(one, path, false))];
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
