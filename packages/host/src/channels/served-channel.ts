import { HostError, type Inbound, type JsonObject, type ToolpostEvent } from '@toolpost/protocol';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { ChannelReply, InboundMessage } from '../sessions/inbox.ts';
import { beginAgain } from './begin-again.ts';
import { type AskReceipt, type ChatAsks, createChatAsks } from './chat-asks.ts';
import { createChatFeed } from './chat-feed.ts';
import { type ChatQueue, createChatQueue } from './chat-queue.ts';
import { type ChatParts, chatOf, openChat, tenantOf, textOf, userOf } from './chat-sessions.ts';
import { type Courier, createCourier } from './courier.ts';
import { findFinishedTurn } from './finished-turn.ts';

/** Turns of one channel that run at once; the others wait in the inbox. */
const MAX_TURNS = 32;
/** Chats that are asked something and hold up nobody else's turn meanwhile. */
const MAX_RESTING = 1000;
/** Messages of one channel that wait; more are refused, so that the plugin holds them back. */
const MAX_WAITING = 10_000;
const MAX_CONTENT_CHARS = 1024 * 1024;
/** A message that ends the host each time is not tried for ever. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 2000;

export interface ServedChannelParts extends ChatParts {
  readonly timeoutMs?: number | undefined;
  readonly warn: (message: string) => void;
  readonly isClosing: () => boolean;
}

export interface Receipt {
  readonly accepted: true;
  readonly message_id: string;
  /** It came before, under this request id. */
  readonly duplicate: boolean;
  /** The reply to an earlier one, where there is one. */
  readonly reply?: ChannelReply;
}

/** One channel of a home in this process: its messages, from the acknowledgement to the arrival of their replies. */
export class ServedChannel {
  readonly name: string;
  readonly tenant: string;
  readonly #parts: ServedChannelParts;
  readonly #queue: ChatQueue;
  readonly #courier: Courier;
  readonly #asks: ChatAsks;
  readonly #users = new Map<string, string>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #port: ChannelPort | undefined;
  #lastPort: ChannelPort;

  /** @throws Error when the configuration of the channel is wrong. */
  constructor(port: ChannelPort, parts: ServedChannelParts) {
    this.name = port.name;
    this.tenant = tenantOf(port, parts.host);
    this.#parts = parts;
    this.#lastPort = port;
    this.#courier = createCourier(this.name, parts.store.inbox);
    this.#queue = createChatQueue(MAX_TURNS, (pk) => this.#answer(pk));
    this.#asks = createChatAsks(this.name, (chats) => this.#queue.setResting(Math.min(chats, MAX_RESTING)));
    for (const { pk, chatId, user } of parts.store.inbox.list(this.name, 'waiting')) this.#enqueue(pk, chatId, user);
  }

  open(port: ChannelPort): void {
    this.#port = port;
    this.#lastPort = port;
    this.#courier.open(port);
    this.#asks.open(port);
  }

  close(port: ChannelPort): void {
    if (this.#port !== port) return;
    this.#port = undefined;
    this.#courier.close();
    this.#asks.close();
  }

  /**
   * Keeps a message before it is acknowledged, and has it answered.
   * @throws Error with the text for the plugin.
   */
  take(inbound: Inbound): Receipt {
    const { inbox } = this.#parts.store;
    const user = this.#checked(inbound);
    const { chatId, requestId = '' } = inbound;
    const key = { tenant: this.tenant, channel: this.name, chatId, requestId };
    const kept = inbox.add({ ...key, user, content: textOf(inbound) }, MAX_WAITING);
    if (!kept) throw new Error('inbound channel full');
    const { message, isNew } = kept;
    if (isNew) this.#enqueue(message.pk, chatId, user);
    else if (message.state === 'replied') this.#courier.deliver(message.pk);
    const { pk, reply } = message;
    return { accepted: true, message_id: String(pk), duplicate: !isNew, ...(reply && { reply }) };
  }

  accept(pk: number): boolean {
    this.#courier.arrived(pk);
    return this.#parts.store.inbox.accept(this.name, pk);
  }

  /** @throws Error with the text for the plugin. */
  answerAsk(params: JsonObject): Promise<AskReceipt> {
    return this.#asks.answer(params);
  }

  stop(): void {
    this.#queue.stop();
    for (const retry of this.#retries) clearTimeout(retry);
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** @throws Error when the message is not to be taken. Returns whose it is. */
  #checked(inbound: Inbound): string {
    const { chatId, content } = inbound;
    if (content.trim() === '') throw new Error('content is empty');
    if (content.length > MAX_CONTENT_CHARS)
      throw new Error(`content has ${content.length} characters, and a message may have ${MAX_CONTENT_CHARS}`);
    const user = userOf(this.name, inbound);
    const owner = chatOf(this.#parts, this.tenant, this.name, chatId)?.session.user ?? this.#users.get(chatId);
    if (owner !== undefined && owner !== user)
      throw new Error(`the chat ${JSON.stringify(chatId)} is another sender's: groups have the chat_type "group"`);
    return user;
  }

  #enqueue(pk: number, chatId: string, user: string): void {
    this.#users.set(chatId, user);
    this.#queue.add(chatId, pk);
  }

  /** Never rejects: a message that cannot be answered now stays, and is tried again. */
  async #answer(pk: number): Promise<void> {
    const { store, warn, isClosing } = this.#parts;
    try {
      const message = store.inbox.get(pk);
      if (message?.state !== 'waiting') return;
      const reply = await this.#replyTo(message);
      if (!this.#queue.has(message.chatId)) this.#users.delete(message.chatId);
      if (reply && store.inbox.answer(pk, reply)) this.#courier.deliver(pk);
    } catch (error) {
      if (isClosing()) return;
      warn(`channel ${this.name}: a message waits: ${error instanceof Error ? error.message : String(error)}`);
      this.#later(pk);
    }
  }

  /** Undefined when the host gave the turn up itself. */
  async #replyTo(message: InboundMessage): Promise<ChannelReply | undefined> {
    const { host, store } = this.#parts;
    const { pk, content, attempts } = message;
    const finished = findFinishedTurn(store, message, host.redact(content));
    if (finished) return finished;
    if (attempts >= MAX_ATTEMPTS)
      return {
        text: `This message was given up: the host ended ${attempts} times while it worked on it.`,
        reason: 'error',
      };
    const live = await openChat(this.#parts, this.#lastPort, message);
    const turn = { sessionId: live.session.id, epoch: live.epoch, afterSeq: live.lastSeq };
    const instead = message.turn && beginAgain(store, turn.sessionId, host.redact(content));
    store.inbox.begin(pk, turn);
    return this.#turn(live, { ...message, content: instead ?? content }, turn.afterSeq);
  }

  async #turn(live: LiveSession, { pk, chatId, content }: InboundMessage, afterSeq: number) {
    const { store, host, isClosing } = this.#parts;
    const feed = createChatFeed(chatId, () => this.#port);
    const unsubscribe = live.subscribe({ afterSeq }, (event) => {
      feed.take(event);
      this.#takeForm(live, event);
    });
    const { model } = this.#lastPort.config;
    const ask = this.#lastPort.answersAsks ? ('clients' as const) : undefined;
    try {
      const { timeoutMs } = this.#parts;
      const { text, reason } = await live.turn(content, {
        timeoutMs,
        ask,
        ...(typeof model === 'string' && { model }),
      });
      if (reason !== 'cancelled' || !isClosing()) return { text, reason };
      store.inbox.takeBack(pk);
      return undefined;
    } catch (error) {
      // What the model lacks is not mended by trying; everything else is the host's own trouble.
      if (!(error instanceof HostError) || error.code !== 'MODEL_FAILED') {
        store.inbox.takeBack(pk);
        throw error;
      }
      this.#parts.warn(`channel ${this.name}: ${error.message}`);
      return { text: host.redact(error.message), reason: 'error' };
    } finally {
      unsubscribe();
      feed.end();
      this.#asks.endTurn(live);
    }
  }

  #takeForm(live: LiveSession, event: ToolpostEvent): void {
    if (event.type === 'form-request') this.#asks.ask(live, event);
    else if (event.type === 'form-end') this.#asks.end(event.formId, event.action);
  }

  #later(pk: number): void {
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      const message = this.#parts.store.inbox.get(pk);
      if (message?.state === 'waiting') this.#enqueue(pk, message.chatId, message.user);
    }, RETRY_MS);
    this.#retries.add(retry);
  }
}
