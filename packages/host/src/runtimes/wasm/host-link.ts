import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** What goes from the worker to the host. A `request` holds the worker until its answer is there. */
export type LinkMessage =
  | { readonly type: 'request'; readonly kind: string; readonly payload: unknown }
  | { readonly type: 'post'; readonly kind: string; readonly payload: unknown };

/** What goes from the host to the worker while the guest runs. */
export type LinkAnswer =
  | { readonly type: 'reply'; readonly value: unknown }
  | { readonly type: 'refusal'; readonly message: string; readonly payload: unknown }
  | { readonly type: 'push'; readonly kind: string; readonly payload: unknown };

/** What the worker is given to connect with: `port` has to be transferred. */
export interface LinkEnd {
  readonly port: MessagePort;
  /** An Int32Array at its start counts what the host has sent: whoever waits for that changes, waits for news. */
  readonly wake: SharedArrayBuffer;
}

/** A handler's refusal, on both sides of the link: `payload` is any value that can be cloned. */
export class LinkRefusal extends Error {
  override readonly name = 'LinkRefusal';
  readonly payload: unknown;

  constructor(message: string, payload?: unknown) {
    super(message);
    this.payload = payload;
  }
}

/** The worker's end of the channel to the host: a guest's imports are synchronous, the host's work is not. */
export interface HostLink extends Pick<LinkEnd, 'wake'> {
  /**
   * Asks the host and blocks the thread until the answer is there. What the host pushes meanwhile is delivered.
   * @throws LinkRefusal with what the handler threw.
   */
  request(kind: string, payload: unknown): unknown;
  /** Tells the host something, without an answer. In order with requests. */
  post(kind: string, payload: unknown): void;
  /** Who gets what the host pushes under a kind, during `poll` and `request`. */
  onPush(kind: string, listener: (payload: unknown) => void): void;
  /** Delivers what the host has pushed since the last look. Never waits. */
  poll(): void;
  /** Blocks the thread until the host has pushed something, and delivers that alone. */
  waitForPush(): void;
}

type Push = Extract<LinkAnswer, { type: 'push' }>;

export function connectHostLink({ port, wake }: LinkEnd): HostLink {
  const sent = new Int32Array(wake);
  const listeners = new Map<string, (payload: unknown) => void>();

  function nextMessage(): LinkAnswer | undefined {
    return receiveMessageOnPort(port)?.message;
  }

  /** Delivers pushes up to the next answer, which it returns. */
  function nextAnswer(): Exclude<LinkAnswer, Push> | undefined {
    for (;;) {
      const message = nextMessage();
      if (message?.type !== 'push') return message;
      deliver(message);
    }
  }

  function deliver({ kind, payload }: Push): void {
    listeners.get(kind)?.(payload);
  }

  function waitFor<Message>(next: () => Message | undefined): Message {
    for (;;) {
      // The counter is read before the look: what comes in between ends the wait at once.
      const seen = Atomics.load(sent, 0);
      const message = next();
      if (message) return message;
      Atomics.wait(sent, 0, seen);
    }
  }

  return {
    wake,
    request(kind, payload) {
      port.postMessage({ type: 'request', kind, payload } satisfies LinkMessage);
      const answer = waitFor(nextAnswer);
      if (answer.type === 'reply') return answer.value;
      throw new LinkRefusal(answer.message, answer.payload);
    },
    post(kind, payload) {
      port.postMessage({ type: 'post', kind, payload } satisfies LinkMessage);
    },
    onPush(kind, listener) {
      listeners.set(kind, listener);
    },
    poll() {
      nextAnswer();
    },
    waitForPush() {
      const message = waitFor(nextMessage);
      if (message.type === 'push') deliver(message);
    },
  };
}
