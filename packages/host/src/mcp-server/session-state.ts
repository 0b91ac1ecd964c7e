import { type JsonObject, quoteValue, type Session } from '@toolpost/protocol';
import { type ClientRequests, createClientRequests } from './client-requests.ts';
import { LOG_LEVELS } from './log-notes.ts';
import {
  type ClientCapabilities,
  isSessionEraVersion,
  NO_CAPABILITIES,
  readCapabilities,
  SERVER_CAPABILITIES,
  SERVER_INFO,
  SESSION_ERA_VERSIONS,
} from './protocol-era.ts';
import { invalidParams } from './rpc-error.ts';
import type { ListClient } from './watch-lists.ts';

/** What a client of the earlier era said of itself, and what is kept for it. */
export interface SessionState {
  readonly isInitialized: boolean;
  readonly capabilities: ClientCapabilities;
  readonly logLevel: string | undefined;
  /** The revision that was agreed on. */
  readonly version: string | undefined;
  readonly requests: ClientRequests;
  /** The JSON of the answer to a request that belongs to the connection; undefined for a method of another kind. */
  answer(method: string, params: JsonObject): string | undefined;
}

/** Whose lists are watched: what it can do stands in the state once it has introduced itself. */
export function clientOf(session: Session, state: SessionState): ListClient {
  return {
    session,
    get capabilities() {
      return state.capabilities;
    },
  };
}

/** @throws RpcError from `answer` for params that are wrong. */
export function createSessionState(): SessionState {
  const requests = createClientRequests();
  let isInitialized = false;
  let capabilities = NO_CAPABILITIES;
  let logLevel: string | undefined;
  let version: string | undefined;

  function initialize(params: JsonObject): string {
    const { protocolVersion } = params;
    if (typeof protocolVersion !== 'string')
      throw invalidParams(`protocolVersion has to be text, got ${quoteValue(protocolVersion)}`);
    isInitialized = true;
    capabilities = readCapabilities(params.capabilities);
    version = isSessionEraVersion(protocolVersion) ? protocolVersion : SESSION_ERA_VERSIONS[0];
    return JSON.stringify({
      protocolVersion: version,
      capabilities: { ...SERVER_CAPABILITIES, resources: { listChanged: true, subscribe: true } },
      serverInfo: SERVER_INFO,
    });
  }

  function setLevel({ level }: JsonObject): string {
    if (!LOG_LEVELS.some((one) => one === level))
      throw invalidParams(`level has to be one of ${LOG_LEVELS.join(', ')}, got ${quoteValue(level)}`);
    logLevel = String(level);
    return '{}';
  }

  function assertUri({ uri }: JsonObject): string {
    if (typeof uri !== 'string') throw invalidParams(`uri has to be text, got ${quoteValue(uri)}`);
    return '{}';
  }

  return {
    get isInitialized() {
      return isInitialized;
    },
    get capabilities() {
      return capabilities;
    },
    get logLevel() {
      return logLevel;
    },
    get version() {
      return version;
    },
    requests,
    answer(method, params) {
      if (method === 'initialize') return initialize(params);
      if (method === 'ping') return '{}';
      if (method === 'logging/setLevel') return setLevel(params);
      // What can be read here changes with the list alone, of which every client is told.
      if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return assertUri(params);
      return undefined;
    },
  };
}
