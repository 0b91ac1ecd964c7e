import { isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';

/** What the other side asks for and tells. */
export interface RpcListener {
  /** The answer; a rejection is an error with its message. */
  onRequest(method: string, params: JsonObject): Promise<JsonObject> | JsonObject;
  onNotification(method: string, params: JsonObject): void;
  /** What comes while it says no is left alone, unanswered. Absent: all is heard. */
  mayHear?(): boolean;
}

/** JSON-RPC with one other window. */
export interface RpcLink {
  /** @throws Error with what the other side says is wrong */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
  /** Hears nothing more; what waits for an answer is rejected. */
  close(): void;
}

interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

const MAX_WAITING = 100;
const NOT_FOUND = -32601;
const FAILED = -32603;

/** Talks with `other`, a window that may be of any origin, and with none else. What is no JSON-RPC is left alone. */
export function linkTo(other: Window, listener: RpcListener): RpcLink {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  // An opaque origin has no name that could be given here.
  const post = (message: JsonObject) => other.postMessage({ jsonrpc: '2.0', ...message }, '*');

  async function answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    try {
      post({ id, result: await listener.onRequest(method, params) });
    } catch (error) {
      const message = messageOf(error);
      post({ id, error: { code: error instanceof UnknownMethod ? NOT_FOUND : FAILED, message } });
    }
  }

  function settle(id: unknown, { result, error }: JsonObject): void {
    const open = typeof id === 'number' ? waiting.get(id) : undefined;
    if (!open) return;
    waiting.delete(id as number);
    if (isJsonObject(error)) open.reject(new Error(String(error.message ?? 'it failed')));
    else open.resolve(isJsonObject(result) ? result : {});
  }

  function onMessage({ source, data }: MessageEvent): void {
    if (source !== other || listener.mayHear?.() === false) return;
    if (!isJsonObject(data) || data.jsonrpc !== '2.0') return;
    const { id, method, params } = data;
    if (typeof method !== 'string') settle(id, data);
    else if (id === undefined) listener.onNotification(method, isJsonObject(params) ? params : {});
    else void answer(id, method, isJsonObject(params) ? params : {});
  }

  addEventListener('message', onMessage);
  return {
    request(method, params) {
      if (waiting.size >= MAX_WAITING) return Promise.reject(new Error('too many requests wait for an answer'));
      lastId += 1;
      const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
      waiting.set(lastId, { resolve, reject });
      post({ id: lastId, method, params });
      return promise;
    },
    notify: (method, params) => post({ method, params }),
    close() {
      removeEventListener('message', onMessage);
      for (const { reject } of waiting.values()) reject(new Error('the other window is gone'));
      waiting.clear();
    },
  };
}

/** A method that this side does not have. */
export class UnknownMethod extends Error {
  constructor(method: string) {
    super(`there is no method ${method} here`);
  }
}
