import { CHANNEL_EVENTS, type ChannelEvent } from '@toolpost/protocol';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { InboundMessage, Inbox } from '../sessions/inbox.ts';

/** A plugin that is this far behind with reading, in characters, gets the next reply when it has caught up. */
const MAX_BACKLOG = 1024 * 1024;
const RETRY_MS = 50;

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
}

export function createCourier(channel: string, inbox: Inbox): Courier {
  let port: ChannelPort | undefined;
  let waiting: number[] = [];
  const sent = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  const pump = () => {
    timer = undefined;
    const to = port;
    while (to && waiting.length > 0) {
      if (to.backlog > MAX_BACKLOG) {
        timer = setTimeout(pump, RETRY_MS);
        return;
      }
      send(to, waiting.shift() ?? 0);
    }
  };

  function send(to: ChannelPort, pk: number): void {
    const message = inbox.get(pk);
    if (message?.state !== 'replied' || sent.has(pk)) return;
    sent.add(pk);
    to.send(toEvent(message));
    if (to.acceptsReplies) return;
    to.confirm().then(
      () => {
        sent.delete(pk);
        inbox.accept(channel, pk);
      },
      // It ended before: its next life gets the reply.
      () => undefined,
    );
  }

  return {
    open(next) {
      port = next;
      waiting = inbox.list(channel, 'replied').map(({ pk }) => pk);
      pump();
    },
    close() {
      port = undefined;
      waiting = [];
      sent.clear();
      clearTimeout(timer);
    },
    deliver(pk) {
      if (!port) return;
      waiting.push(pk);
      if (!timer) pump();
    },
    arrived: (pk) => void sent.delete(pk),
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
