import { isJsonObject, type JsonObject, PLUGIN_METHODS, readPluginRequest, readTopic } from '@toolpost/protocol';
import { errorMessage } from '../results/to-tool-result.ts';
import type { AskAnswer, AskForm, CalledTool, Storage } from '../tool-call-context.ts';

export interface RequestServices {
  settings: JsonObject;
  storage: Storage;
  answer(form: AskForm): AskAnswer | Promise<AskAnswer>;
  callTool(name: string, input: JsonObject): CalledTool | Promise<CalledTool>;
  publish(topic: string, data: unknown): void;
}

/** Answers what a plugin asks of its host. Never rejects. */
export async function answerPluginRequest(message: JsonObject, services: RequestServices): Promise<JsonObject> {
  try {
    const { id, method, params } = readPluginRequest(message);
    return { id, result: (await serve(method, params, services)) ?? null };
  } catch (error) {
    return { id: message.id, error: errorMessage(error) };
  }
}

async function serve(
  method: string,
  params: JsonObject,
  { settings, storage, answer, callTool, publish }: RequestServices,
): Promise<unknown> {
  const key = String(params.key);
  const store = params.shared === true ? storage.shared : storage;
  switch (method) {
    case PLUGIN_METHODS.settingsGet:
      return settings;
    case PLUGIN_METHODS.storageGet:
      return store.get(key);
    case PLUGIN_METHODS.storageSet:
      return store.set(key, params.value);
    case PLUGIN_METHODS.storageDelete:
      return store.delete(key);
    case PLUGIN_METHODS.storageKeys:
      return store.keys(typeof params.prefix === 'string' ? params.prefix : '');
    case PLUGIN_METHODS.ask:
      return answer({ message: String(params.message), schema: isJsonObject(params.schema) ? params.schema : {} });
    case PLUGIN_METHODS.callTool:
      return callTool(String(params.name), isJsonObject(params.input) ? params.input : {});
    case PLUGIN_METHODS.busPublish:
      return publish(readTopic(params.topic), params.data);
    default:
      throw new Error(`unknown method: ${method}`);
  }
}
