import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { HOST_VERSION } from '../version.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/**
 * `session`: revisions up to 2025-11-25, which begin with `initialize`; the client says once who it is. `request`: from
 * 2026-07-28 on, where each request says it in its `_meta`.
 */
export type Era = 'session' | 'request';

/** Newest first: what a client gets that asks for one we do not know. */
export const SESSION_ERA_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const REQUEST_ERA_VERSIONS = ['2026-07-28'] as const;

export function isSessionEraVersion(version: string): boolean {
  return (SESSION_ERA_VERSIONS as readonly string[]).includes(version);
}

export const META_KEYS = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

export const SERVER_INFO = { name: 'toolpost', title: 'Toolpost', version: HOST_VERSION } as const;

export const SERVER_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** What a client can be asked. */
export interface ClientCapabilities {
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
  /** It shows pages by MCP Apps. Others see nothing of them. */
  readonly apps: boolean;
}

export const NO_CAPABILITIES: ClientCapabilities = { elicitation: false, sampling: false, roots: false, apps: false };

/** What MCP Apps is called among the extensions, and what it takes for a page. */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** An empty `elicitation` means forms; a client that names its ways has to name that one. */
export function readCapabilities(value: unknown): ClientCapabilities {
  if (!isJsonObject(value)) return NO_CAPABILITIES;
  const { elicitation, sampling, roots, extensions } = value;
  const ways = isJsonObject(elicitation) ? Object.keys(elicitation) : [];
  return {
    elicitation: isJsonObject(elicitation) && (ways.length === 0 || ways.includes('form') || !ways.includes('url')),
    sampling: isJsonObject(sampling),
    roots: isJsonObject(roots),
    apps: takesApps(extensions),
  };
}

/** A client that names no types takes what the extension is about. */
function takesApps(extensions: unknown): boolean {
  const apps = isJsonObject(extensions) ? extensions[APPS_EXTENSION] : undefined;
  if (!isJsonObject(apps)) return false;
  return !Array.isArray(apps.mimeTypes) || apps.mimeTypes.includes(APP_MIME_TYPE);
}

/** What each request of the later era says of itself. */
export interface Envelope {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly logLevel: string | undefined;
}

export function metaOf(params: JsonObject): JsonObject | undefined {
  return isJsonObject(params._meta) ? params._meta : undefined;
}

/** Whether a request says that it is of the later era, rightly or not. */
export function claimsEnvelope(params: JsonObject): boolean {
  const meta = metaOf(params);
  return meta !== undefined && META_KEYS.protocolVersion in meta;
}

/**
 * Reads the envelope of a request of the later era.
 * @throws RpcError that names the key that is missing or wrong, or the versions that there are.
 */
export function readEnvelope(params: JsonObject): Envelope {
  const meta = metaOf(params);
  if (!meta) throw wrongEnvelope('_meta', 'missing');
  const version = meta[META_KEYS.protocolVersion];
  if (version === undefined) throw wrongEnvelope(META_KEYS.protocolVersion, 'missing');
  if (typeof version !== 'string') throw wrongEnvelope(META_KEYS.protocolVersion, `got ${quoteValue(version)}`);
  const capabilities = meta[META_KEYS.clientCapabilities];
  if (capabilities === undefined) throw wrongEnvelope(META_KEYS.clientCapabilities, 'missing');
  if (!isJsonObject(capabilities))
    throw wrongEnvelope(META_KEYS.clientCapabilities, `it has to be an object, got ${quoteValue(capabilities)}`);
  const info = meta[META_KEYS.clientInfo];
  if (info !== undefined && !isJsonObject(info))
    throw wrongEnvelope(META_KEYS.clientInfo, `it has to be an object, got ${quoteValue(info)}`);
  if (!(REQUEST_ERA_VERSIONS as readonly string[]).includes(version)) throw unsupportedVersion(version);
  const logLevel = meta[META_KEYS.logLevel];
  return {
    version,
    capabilities: readCapabilities(capabilities),
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}

export function unsupportedVersion(requested: string): RpcError {
  return new RpcError(
    RPC_CODES.unsupportedVersion,
    `the protocol version ${quoteValue(requested)} is not supported: use ${REQUEST_ERA_VERSIONS.join(' or ')}, or begin with initialize`,
    { supported: [...REQUEST_ERA_VERSIONS], requested },
  );
}

function wrongEnvelope(key: string, problem: string): RpcError {
  return invalidParams(`params._meta is not what protocol 2026-07-28 asks for: ${key}: ${problem}`, {
    envelope: { key, problem },
  });
}

/** How long a client may keep a list without asking again: it is told of changes. */
const LIST_TTL_MS = 0;

/** The members that a result has beside its own ones. Lists and what is read are the session's own: never shared. */
export function resultExtras(era: Era, isCacheable: boolean): JsonObject {
  if (era === 'session') return {};
  const caching = isCacheable ? { ttlMs: LIST_TTL_MS, cacheScope: 'private' } : {};
  return { resultType: 'complete', ...caching, _meta: { [META_KEYS.serverInfo]: SERVER_INFO } };
}

/** JSON of a whole result in its era's form. */
export function encodeResult(era: Era, body: JsonObject, isCacheable = false): string {
  if (era === 'session') return JSON.stringify(body);
  const extras = resultExtras(era, isCacheable);
  const meta = isJsonObject(body._meta) ? { _meta: { ...body._meta, [META_KEYS.serverInfo]: SERVER_INFO } } : {};
  return JSON.stringify({ ...extras, ...body, ...meta });
}
