import type { JsonObject } from '@toolpost/protocol';
import { capabilityOf, type InputQuestion, isFittingAnswer, MissingCapability } from './input-questions.ts';
import type { ClientCapabilities } from './protocol-era.ts';
import type { RpcResponse } from './read-message.ts';
import { notificationMessage, requestMessage } from './write-message.ts';

/** A question has an end, also where the client shows it to nobody: the call's own deadline stands still meanwhile. */
const QUESTION_MS = 10 * 60_000;

interface PendingRequest {
  readonly question: InputQuestion;
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

export interface AskOptions {
  readonly capabilities: ClientCapabilities;
  readonly abortSignal: AbortSignal;
  /** Sends a message on the way of the request that the question belongs to. */
  send(message: string): void;
}

/** Our own requests to a client of the earlier era, which answers them by their ids. */
export interface ClientRequests {
  /** @throws MissingCapability, Error when the client refuses, answers something else or goes away. */
  ask(question: InputQuestion, options: AskOptions): Promise<JsonObject>;
  /** Gives a response to the request that waits for it. One that nothing waits for is late, and dropped. */
  settle(response: RpcResponse): void;
  /** Nobody answers any more. */
  close(): void;
}

export function createClientRequests(): ClientRequests {
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;

  return {
    ask(question, { capabilities, abortSignal, send }) {
      if (!capabilities[capabilityOf(question.method)]) return Promise.reject(new MissingCapability(question.method));
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
      const cancel = () => {
        pending.delete(id);
        send(notificationMessage('notifications/cancelled', { requestId: id, reason: 'the call was cancelled' }));
        reject(new Error('the call was cancelled while the client was asked'));
      };
      if (abortSignal.aborted) return Promise.reject(new Error('the call was cancelled before the client was asked'));
      abortSignal.addEventListener('abort', cancel, { once: true });
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new Error(`the client did not answer ${question.method} within ${QUESTION_MS / 60_000} minutes`));
      }, QUESTION_MS);
      pending.set(id, { question, resolve, reject });
      send(requestMessage(id, question.method, question.params));
      return promise.finally(() => {
        clearTimeout(timer);
        abortSignal.removeEventListener('abort', cancel);
      });
    },
    settle({ id, result, error }) {
      // Some peers make text of every id.
      const key = typeof id === 'string' ? Number(id) : id;
      const waiting = typeof key === 'number' ? pending.get(key) : undefined;
      if (!waiting) return;
      pending.delete(key as number);
      const { question, resolve, reject } = waiting;
      if (error !== undefined) reject(new Error(`the client refused ${question.method}: ${error}`));
      else if (isFittingAnswer(question.method, result)) resolve(result);
      else reject(new Error(`the client's answer to ${question.method} is not what MCP asks for`));
    },
    close() {
      for (const { reject } of pending.values()) reject(new Error('the client went away'));
      pending.clear();
    },
  };
}
