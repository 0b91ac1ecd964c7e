import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';

/**
 * `session`: revisions up to 2025-11-25, which begin with `initialize`. `request`: from 2026-07-28 on, where each request
 * says in its `_meta` what is said there.
 */
export type Era = 'session' | 'request';

/** Newest first; the first is what we ask for. */
const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const REQUEST_VERSION = '2026-07-28';

const META = 'io.modelcontextprotocol/';
/** What MCP Apps takes for a page. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';
/** Questions to the session's user, as forms; pages by MCP Apps. Models and directories are not lent to servers. */
const CAPABILITIES = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [APP_MIME_TYPE] } },
};

/** What we say of ourselves, in either era. */
export interface Introduction {
  /** What every message of the later era carries in its `_meta`. */
  readonly envelope: JsonObject;
  readonly initializeParams: JsonObject;
}

export function introduce(hostVersion: string): Introduction {
  const clientInfo = { name: 'toolpost', title: 'Toolpost', version: hostVersion };
  return {
    envelope: {
      [`${META}protocolVersion`]: REQUEST_VERSION,
      [`${META}clientInfo`]: clientInfo,
      [`${META}clientCapabilities`]: CAPABILITIES,
    },
    initializeParams: { protocolVersion: SESSION_VERSIONS[0], capabilities: CAPABILITIES, clientInfo },
  };
}

/** What a server said of itself at the start. */
export interface ServerSession {
  readonly era: Era;
  readonly version: string;
  readonly capabilities: JsonObject;
}

/** @returns undefined when the answer to `server/discover` offers nothing that we speak. */
export function readDiscovered(result: JsonObject): ServerSession | undefined {
  const { supportedVersions } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(REQUEST_VERSION)) return undefined;
  return { era: 'request', version: REQUEST_VERSION, capabilities: objectOf(result.capabilities) };
}

/** @throws Error when the server speaks a revision that we do not know. */
export function readInitialized(result: JsonObject): ServerSession {
  const version = SESSION_VERSIONS.find((known) => known === result.protocolVersion);
  if (version === undefined) {
    const known = SESSION_VERSIONS.join(', ');
    throw new Error(`it speaks protocol version ${quoteValue(result.protocolVersion)}; known are ${known}`);
  }
  return { era: 'session', version, capabilities: objectOf(result.capabilities) };
}

/** A result's `_meta` without what belongs to the protocol. */
export function ownMeta(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const own = Object.entries(meta).filter(([key]) => !key.startsWith(META));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
