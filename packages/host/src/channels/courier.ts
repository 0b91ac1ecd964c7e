import { CHANNEL_EVENTS, type ChannelEvent } from '@toolpost/protocol';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { InboundMessage, Inbox } from '../sessions/inbox.ts';

/** A plugin that is this far behind with reading, in characters, gets the next reply when it has caught up. */
const MAX_BACKLOG = 1024 * 1024;
const RETRY_MS = 50;
/** After an error of the store. */
const TROUBLE_RETRY_MS = 2000;

/**
 * Brings the replies of one channel to its plugin. A reply counts as arrived when the plugin says so; from one that never
 * says it, when the plugin answers what it is asked after it. Until then each life of the plugin gets it again.
 */
export interface Courier {
  /** A life of the plugin begins: it gets all that has not arrived. */
  open(port: ChannelPort): void;
  close(): void;
  deliver(pk: number): void;
  /** The plugin has it: until then this life of it gets no reply twice. */
  arrived(pk: number): void;
  /** Resolves when nothing is on its way any more, in any case after `limitMs`. */
  idle(limitMs: number): Promise<void>;
}

/** `onTrouble` hears of errors of the store: what they concern is tried again. */
export function createCourier(channel: string, inbox: Inbox, onTrouble: (error: unknown) => void): Courier {
  let port: ChannelPort | undefined;
  let waiting: number[] = [];
  const sent = new Set<number>();
  const idlers = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  /** What has not arrived is still to be looked up. */
  let isNew = false;

  const tellIdlers = () => {
    if (waiting.length === 0 && sent.size === 0) for (const tell of idlers) tell();
  };
  const settle = (pk: number) => {
    sent.delete(pk);
    tellIdlers();
  };
  const pump = () => {
    timer = undefined;
    try {
      if (isNew) waiting = inbox.list(channel, 'replied').map(({ pk }) => pk);
      isNew = false;
      const retryMs = sendAll();
      if (retryMs !== undefined) timer = setTimeout(pump, retryMs);
    } catch (error) {
      onTrouble(error);
      timer = setTimeout(pump, TROUBLE_RETRY_MS);
    }
    tellIdlers();
  };

  /** Returns after how many milliseconds to go on; undefined when all is sent. */
  function sendAll(): number | undefined {
    for (let pk = waiting[0]; port && pk !== undefined; pk = waiting[0]) {
      if (port.backlog > MAX_BACKLOG) return RETRY_MS;
      send(port, pk);
      waiting.shift();
    }
    return undefined;
  }

  function send(to: ChannelPort, pk: number): void {
    const message = inbox.get(pk);
    if (message?.state !== 'replied' || sent.has(pk)) return;
    sent.add(pk);
    to.send(toEvent(message));
    if (to.acceptsReplies) return;
    // A rejection: it ended before, and its next life gets the reply.
    to.confirm().then(
      () => accept(pk),
      () => undefined,
    );
  }

  /** One that cannot be noted as arrived stays sent, so that this life does not get it twice. */
  function accept(pk: number): void {
    try {
      inbox.accept(channel, pk);
      settle(pk);
    } catch (error) {
      onTrouble(error);
      setTimeout(() => sent.has(pk) && accept(pk), TROUBLE_RETRY_MS).unref();
    }
  }

  return {
    open(next) {
      port = next;
      isNew = true;
      clearTimeout(timer);
      pump();
    },
    close() {
      port = undefined;
      waiting = [];
      sent.clear();
      clearTimeout(timer);
      timer = undefined;
      tellIdlers();
    },
    deliver(pk) {
      if (!port) return;
      waiting.push(pk);
      if (!timer) pump();
    },
    arrived: settle,
    async idle(limitMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, limitMs);
      idlers.add(resolve);
      tellIdlers();
      await promise;
      clearTimeout(limit);
      idlers.delete(resolve);
    },
  };
}

function toEvent({ pk, chatId, requestId, reply }: InboundMessage): ChannelEvent {
  const { text = '', reason = 'completed' } = reply ?? {};
  const metadata = {
    is_final: 'true',
    reply_id: String(pk),
    ...(requestId !== '' && { request_id: requestId }),
    reason,
    ...(reason === 'error' && { is_error: 'true' }),
  };
  return { type: CHANNEL_EVENTS.text, chat_id: chatId, content: text, metadata };
}
