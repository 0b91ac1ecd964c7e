import { type JsonObject, messageId, quoteValue } from '@toolpost/protocol';

/** The requests of a plugin that its host has not answered yet. */
export interface HostRequests {
  /** @throws Error with the host's text, or when the connection ends first. */
  request(method: string, params: JsonObject): Promise<unknown>;
  /** Hands an answer to the one who waits for it; one for nobody is dropped. */
  settle(message: JsonObject): void;
  close(reason: string): void;
}

interface Waiter {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export function createHostRequests(send: (line: string) => void): HostRequests {
  const waiters = new Map<string, Waiter>();
  let lastId = 0;
  let closedBecause: string | undefined;
  return {
    request(method, params) {
      if (closedBecause !== undefined) return Promise.reject(new Error(`${method}: ${closedBecause}`));
      lastId += 1;
      const id = `p${lastId}`;
      return new Promise((resolve, reject) => {
        waiters.set(id, { method, resolve, reject });
        send(JSON.stringify({ id, method, params }));
      });
    },
    settle(message) {
      const id = messageId(message);
      const waiter = id === undefined ? undefined : waiters.get(id);
      if (id === undefined || !waiter) return;
      waiters.delete(id);
      const { error } = message;
      if (error === undefined || error === null) waiter.resolve(message.result);
      else waiter.reject(new Error(`${waiter.method}: ${typeof error === 'string' ? error : quoteValue(error)}`));
    },
    close(reason) {
      closedBecause = reason;
      for (const { method, reject } of waiters.values()) reject(new Error(`${method}: ${reason}`));
      waiters.clear();
    },
  };
}
