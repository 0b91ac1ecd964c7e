import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { encodeResult, META_KEYS } from './protocol-era.ts';
import { invalidParams } from './rpc-error.ts';
import { LIST_CHANGED, type ListKind, watchLists } from './watch-lists.ts';
import { notificationMessage } from './write-message.ts';

/** How a client names the lists that it wants to hear of. */
const FILTER: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
};

export interface ListenRequest {
  readonly id: string | number;
  readonly params: JsonObject;
  /** Aborts when the server ends: then the subscription has a result. */
  readonly closing: AbortSignal;
}

/**
 * Answers `subscriptions/listen`: says what it will tell of, tells of it, and ends with a result when nothing is left to
 * tell of or the server ends; when the client ends it, with none that anybody reads.
 */
export async function listen(parts: McpParts, request: ListenRequest, exchange: Exchange): Promise<string> {
  const { id, params, closing } = request;
  const { notifications } = params;
  if (!isJsonObject(notifications))
    throw invalidParams(`notifications has to be an object, got ${quoteValue(notifications)}`);
  const meta = { [META_KEYS.subscriptionId]: id };
  const kinds = (['tools', 'resources', 'prompts'] as const).filter((kind) => notifications[FILTER[kind]] === true);
  const honoured = Object.fromEntries(kinds.map((kind) => [FILTER[kind], true]));
  const tell = (method: string, body: JsonObject = {}) =>
    exchange.notify(notificationMessage(method, { ...body, _meta: meta }));
  tell('notifications/subscriptions/acknowledged', { notifications: honoured });
  if (kinds.length > 0) {
    const watch = watchLists(parts, exchange, (kind) => {
      if (kinds.includes(kind)) tell(LIST_CHANGED[kind]);
    });
    watch.start();
    await aborted(AbortSignal.any([exchange.abortSignal, closing]));
    watch.close();
  }
  return encodeResult('request', { _meta: meta });
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
