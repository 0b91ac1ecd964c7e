import { type JsonObject, PLUGIN_METHODS, type PluginMethod } from '@toolpost/protocol';
import { type PluginSubscription, runSubscriptions } from '../plugin/subscriptions.ts';
import { type CallServices, servedStorage } from './served-call.ts';

/** Hands a message of the bus to the handlers that it is for. @throws what the first that failed threw. */
export function receiveMessage(
  subscriptions: readonly PluginSubscription[],
  { topic, data, from, tenant, callId }: JsonObject,
  { requests, settings, log, abortSignal }: CallServices & { abortSignal: AbortSignal },
): Promise<void> {
  const ask = (method: PluginMethod, params: JsonObject) => requests.request(method, { callId, ...params });
  const message = { topic: String(topic), data, from: String(from), tenant: String(tenant ?? '') };
  return runSubscriptions(subscriptions, message, {
    storage: servedStorage(ask),
    settings,
    publish: async (to, value) => void (await ask(PLUGIN_METHODS.busPublish, { topic: to, data: value ?? null })),
    abortSignal,
    log,
  });
}
