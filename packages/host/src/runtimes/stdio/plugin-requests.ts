import {
  isJsonObject,
  type JsonObject,
  messageOf,
  PLUGIN_METHODS,
  type PluginRequest,
  quoteValue,
  readPluginRequest,
} from '@toolpost/protocol';
import type { AskForm, BusContext, KeyValueStore } from '@toolpost/sdk';
import type { RuntimeCallContext } from '../runtime.ts';

/** What a plugin can ask in the name of a call, or of a message of the bus. */
export type RequestContext = Pick<RuntimeCallContext, 'storage' | 'ask' | 'callTool' | 'publish'>;

/** Answers one request of a plugin, in the name of the call that it names. */
export type AnswerRequest = (message: JsonObject, callOf: (callId: string) => RequestContext | undefined) => void;

/** A message belongs to no session: nobody can be asked, and no tool is called. */
export function toRequests({ storage, publish }: BusContext): RequestContext {
  return {
    storage,
    publish,
    ask: async () => ({ action: 'cancel' }),
    callTool: () => Promise.reject(new Error('a message of the bus belongs to no session, so that no tool is called')),
  };
}

/** The answer to a request; the id is the plugin's own, byte for byte. */
export type RequestAnswer = { id: unknown; result: unknown } | { id: unknown; error: string };

export interface PluginRequestsOptions {
  settings: JsonObject;
  /** Publishes in no call's name; absent where the process serves more than one tenant, or there is no bus. */
  publish?: ((topic: unknown, data: unknown) => void) | undefined;
  /** @throws TypeError when a result is not JSON. */
  write(answer: RequestAnswer): void;
}

/** Serves what a plugin asks of the host. Every request gets exactly one answer. */
export function createRequestAnswerer({ settings, write, publish }: PluginRequestsOptions): AnswerRequest {
  return (message, callOf) => {
    const { id } = message;
    void serve(message, callOf)
      .then((result) => write({ id, result }))
      .catch((error: unknown) => write({ id, error: messageOf(error) }));
  };

  /** A process of one tenant speaks for that tenant alone. */
  function publishAlone({ params: { topic, data } }: PluginRequest): null {
    if (!publish)
      throw new Error(
        `${PLUGIN_METHODS.busPublish}: callId must name a call in flight, as this process serves more than one tenant`,
      );
    publish(topic, data);
    return null;
  }

  async function serve(message: JsonObject, callOf: Parameters<AnswerRequest>[1]): Promise<unknown> {
    const request = readPluginRequest(message);
    if (request.method === PLUGIN_METHODS.settingsGet) return settingsOf(request, settings);
    const serveMethod = METHODS.get(request.method);
    if (!serveMethod)
      throw new Error(`unknown method: ${request.method}. There are ${Object.values(PLUGIN_METHODS).join(', ')}`);
    if (request.method === PLUGIN_METHODS.busPublish && request.callId === undefined) return publishAlone(request);
    const call = request.callId === undefined ? undefined : callOf(request.callId);
    if (!call)
      throw new Error(`${request.method}: callId must name a call in flight, got ${quoteValue(request.callId)}`);
    return (await serveMethod(request.params, call)) ?? null;
  }
}

type ServeMethod = (params: JsonObject, call: RequestContext) => Promise<unknown>;

const METHODS = new Map<string, ServeMethod>([
  [PLUGIN_METHODS.storageGet, async (params, call) => storeOf(params, call).get(keyOf(params))],
  [PLUGIN_METHODS.storageSet, async (params, call) => storeOf(params, call).set(keyOf(params), params.value ?? null)],
  [PLUGIN_METHODS.storageDelete, async (params, call) => storeOf(params, call).delete(keyOf(params))],
  [PLUGIN_METHODS.storageKeys, async (params, call) => storeOf(params, call).keys(prefixOf(params))],
  [PLUGIN_METHODS.ask, async (params, call) => call.ask(formOf(params))],
  [PLUGIN_METHODS.callTool, async (params, call) => call.callTool(nameOf(params), inputOf(params))],
  [PLUGIN_METHODS.busPublish, async ({ topic, data }, call) => call.publish(topic as string, data)],
]);

function nameOf({ name }: JsonObject): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new Error(`name must be the name of a tool, got ${quoteValue(name)}`);
}

function inputOf({ input = {} }: JsonObject): JsonObject {
  if (isJsonObject(input)) return input;
  throw new Error(`input must be an object, got ${quoteValue(input)}`);
}

/** All settings, or the one that `key` names. They belong to the plugin, so no call is needed. */
function settingsOf({ params }: PluginRequest, settings: JsonObject): unknown {
  if (params.key === undefined) return settings;
  const key = keyOf(params);
  return Object.hasOwn(settings, key) ? (settings[key] ?? null) : null;
}

/** The plugin's own store, or with `shared` the one of all plugins of the tenant. */
function storeOf({ shared }: JsonObject, { storage }: RequestContext): KeyValueStore {
  if (shared === true) return storage.shared;
  if (shared === undefined || shared === null || shared === false) return storage;
  throw new Error(`shared must be true or false, got ${quoteValue(shared)}`);
}

function prefixOf({ prefix = '' }: JsonObject): string {
  if (typeof prefix === 'string') return prefix;
  throw new Error(`prefix must be text, got ${quoteValue(prefix)}`);
}

function keyOf({ key }: JsonObject): string {
  if (typeof key === 'string' && key !== '') return key;
  throw new Error(`key must be non-empty text, got ${quoteValue(key)}`);
}

function formOf(params: JsonObject): AskForm {
  const { message, schema, name } = isJsonObject(params.form) ? params.form : params;
  if (typeof message !== 'string') throw new Error(`message must be text, got ${quoteValue(message)}`);
  if (!isJsonObject(schema)) throw new Error(`schema must be a JSON Schema object, got ${quoteValue(schema)}`);
  return { message, schema, ...(typeof name === 'string' && { name }) };
}
