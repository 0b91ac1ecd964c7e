import { MessageChannel } from 'node:worker_threads';
import { messageOf } from '@toolpost/protocol';
import { type LinkAnswer, type LinkEnd, type LinkMessage, LinkRefusal } from './host-link.ts';

/**
 * Does the host's side of one kind. The value answers a request; a post has nobody to tell. `call` is the call that runs
 * in the instance, undefined while none does (its constructor runs).
 * @throws LinkRefusal with a payload for the worker; of any other error only the message gets there.
 */
export type LinkHandler<Call> = (payload: unknown, call: Call | undefined) => unknown | Promise<unknown>;

export interface ServeHostLinkOptions<Call> {
  readonly handlers: Readonly<Record<string, LinkHandler<Call>>>;
  readonly currentCall: () => Call | undefined;
}

/** The host's end of the channel to one worker. */
export interface ServedLink {
  /** For `connectHostLink` in the worker. */
  readonly workerEnd: LinkEnd;
  /** Sends the worker something unasked, and wakes it when it waits. */
  push(kind: string, payload: unknown): void;
  /** Whether the host's process stays alive for what the worker may still send. */
  setAlive(isAlive: boolean): void;
  /** Nothing is handled or sent after this. */
  close(): void;
}

export function serveHostLink<Call>({ handlers, currentCall }: ServeHostLinkOptions<Call>): ServedLink {
  const { port1: port, port2: workerPort } = new MessageChannel();
  const wake = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const sent = new Int32Array(wake);
  let isOpen = true;

  function send(answer: LinkAnswer): void {
    if (!isOpen) return;
    port.postMessage(answer);
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  }

  function refuse(error: unknown): void {
    const message = messageOf(error);
    send({ type: 'refusal', message, payload: error instanceof LinkRefusal ? error.payload : undefined });
  }

  async function answerLater(value: Promise<unknown>): Promise<void> {
    try {
      send({ type: 'reply', value: await value });
    } catch (error) {
      refuse(error);
    }
  }

  function handle(message: LinkMessage): void {
    const isRequest = message.type === 'request';
    try {
      const handler = Object.hasOwn(handlers, message.kind) ? handlers[message.kind] : undefined;
      if (!handler) throw new LinkRefusal(`the host has nothing that answers ${message.kind}`);
      const value = handler(message.payload, currentCall());
      if (value instanceof Promise) {
        if (isRequest) void answerLater(value);
        else value.catch(() => undefined);
      } else if (isRequest) send({ type: 'reply', value });
    } catch (error) {
      if (isRequest) refuse(error);
    }
  }

  port.on('message', handle);
  return {
    workerEnd: { port: workerPort, wake },
    push: (kind, payload) => send({ type: 'push', kind, payload }),
    setAlive: (isAlive) => (isAlive ? port.ref() : port.unref()),
    close() {
      isOpen = false;
      port.close();
    },
  };
}
