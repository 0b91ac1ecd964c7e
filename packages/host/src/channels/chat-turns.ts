import { HostError, type ToolpostEvent } from '@toolpost/protocol';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { ChannelReply, InboundMessage } from '../sessions/inbox.ts';
import { beginAgain } from './begin-again.ts';
import type { ChatAsks } from './chat-asks.ts';
import { createChatFeed } from './chat-feed.ts';
import { type ChatParts, chatOf, openChat } from './chat-sessions.ts';
import { findEarlierTurns } from './earlier-turns.ts';

/** A message that ends the host each time is not tried for ever. */
const MAX_ATTEMPTS = 3;

export interface ChatTurnsParts extends ChatParts {
  /** The channel. */
  readonly name: string;
  readonly asks: ChatAsks;
  readonly timeoutMs?: number | undefined;
  readonly warn: (message: string) => void;
  readonly isClosing: () => boolean;
  /** Of the life of the plugin that runs now. */
  readonly port: () => ChannelPort | undefined;
  /** Of its latest life. */
  readonly lastPort: () => ChannelPort;
}

interface RunningTurn {
  readonly live: LiveSession;
  readonly pk: number;
  /** The plugin has ended it. */
  isCancelled: boolean;
}

/** The turns of one channel's messages, also of those whose turn a kill has broken off. */
export class ChatTurns {
  readonly #parts: ChatTurnsParts;
  readonly #running = new Map<string, RunningTurn>();

  constructor(parts: ChatTurnsParts) {
    this.#parts = parts;
  }

  /**
   * Ends the turn that runs in a chat; returns how many that were. Noted at once: the message is not answered again when
   * the host is killed before the turn has ended.
   */
  cancel(chatId: string): number {
    const turn = this.#running.get(chatId);
    const cancelled = turn?.live.cancel() ?? 0;
    if (!turn || cancelled === 0) return 0;
    turn.isCancelled = true;
    this.#parts.store.inbox.answer(turn.pk, { text: '', reason: 'cancelled' });
    return cancelled;
  }

  /** Returns undefined when the host gave the turn up itself. @throws Error for one that is to be tried again. */
  async run(message: InboundMessage): Promise<ChannelReply | undefined> {
    const { host, store, lastPort } = this.#parts;
    const { pk, content, attempts } = message;
    const kept = host.redact(content);
    const earlier = findEarlierTurns(store, message, kept);
    if (earlier.reply) return earlier.reply;
    if (attempts >= MAX_ATTEMPTS)
      return {
        text: `This message was given up: the host ended ${attempts} times while it worked on it.`,
        reason: 'error',
      };
    const owner = chatOf(this.#parts, message.tenant, this.#parts.name, message.chatId)?.session.user;
    if (owner !== undefined && owner !== message.user)
      return { text: "This message was given up: its chat is another sender's by now.", reason: 'error' };
    const live = await openChat(this.#parts, lastPort(), message);
    const { lastSeq, epoch } = live;
    const sessionId = live.session.id;
    const instead = beginAgain(store, { ...earlier, sessionId, kept });
    // All its turns are looked for, so that it begins where the first of them did.
    const isKnown = message.turn?.sessionId === sessionId && message.turn.epoch === epoch;
    store.inbox.begin(pk, isKnown && message.turn ? message.turn : { sessionId, epoch, afterSeq: lastSeq });
    return this.#turn(live, { ...message, content: instead ?? content }, lastSeq);
  }

  async #turn(live: LiveSession, { pk, chatId, content }: InboundMessage, afterSeq: number) {
    const { store, host, isClosing, timeoutMs, name, warn, asks, port, lastPort } = this.#parts;
    const feed = createChatFeed(chatId, port);
    const unsubscribe = live.subscribe({ afterSeq }, (event) => {
      feed.take(event);
      this.#takeForm(live, event);
    });
    const turn: RunningTurn = { live, pk, isCancelled: false };
    this.#running.set(chatId, turn);
    const { answersAsks, config } = lastPort();
    const ask = answersAsks ? ('clients' as const) : undefined;
    try {
      const { text, reason } = await live.turn(content, {
        timeoutMs,
        ask,
        ...(typeof config.model === 'string' && { model: config.model }),
      });
      if (reason !== 'cancelled' || turn.isCancelled || !isClosing()) return { text, reason };
      store.inbox.takeBack(pk);
      return undefined;
    } catch (error) {
      // What the model lacks is not mended by trying; everything else is the host's own trouble.
      if (!(error instanceof HostError) || error.code !== 'MODEL_FAILED') {
        store.inbox.takeBack(pk);
        throw error;
      }
      warn(`channel ${name}: ${error.message}`);
      return { text: host.redact(error.message), reason: 'error' };
    } finally {
      this.#running.delete(chatId);
      unsubscribe();
      feed.end();
      asks.endTurn(live);
    }
  }

  #takeForm(live: LiveSession, event: ToolpostEvent): void {
    const { asks } = this.#parts;
    if (event.type === 'form-request') asks.ask(live, event);
    else if (event.type === 'form-end') asks.end(event.formId, event.action);
  }
}
