import { type Inbound, type JsonObject, messageOf } from '@toolpost/protocol';
import { tenantOfChannel } from '../plugin-life/plugin-tenant.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { ChannelReply } from '../sessions/inbox.ts';
import { type AskReceipt, type ChatAsks, createChatAsks } from './chat-asks.ts';
import { type ChatQueue, createChatQueue } from './chat-queue.ts';
import { type ChatParts, chatOf, textOf, userOf } from './chat-sessions.ts';
import { ChatTurns } from './chat-turns.ts';
import { type Courier, createCourier } from './courier.ts';

/** Turns of one channel that run at once; the others wait in the inbox. */
const MAX_TURNS = 32;
/** Chats that are asked something and hold up nobody else's turn meanwhile. */
const MAX_RESTING = 1000;
/** Messages of one channel that wait; more are refused, so that the plugin holds them back. */
const MAX_WAITING = 10_000;
const MAX_CONTENT_CHARS = 1024 * 1024;

export interface ServedChannelParts extends ChatParts {
  readonly timeoutMs?: number | undefined;
  readonly warn: (message: string) => void;
  readonly isClosing: () => boolean;
  /** Milliseconds before a message that could not be answered is tried again; 2000 when absent. */
  readonly retryMs?: number | undefined;
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
  /** Whose the chats are that have a message here. */
  readonly #users = new Map<string, string>();
  readonly #turns: ChatTurns;
  #trouble = '';
  #port: ChannelPort | undefined;
  #lastPort: ChannelPort;

  /** @throws Error when the configuration of the channel is wrong. */
  constructor(port: ChannelPort, parts: ServedChannelParts) {
    this.name = port.name;
    this.tenant = tenantOfChannel(parts.host.settings, port);
    this.#parts = parts;
    this.#lastPort = port;
    this.#courier = createCourier(this.name, parts.store.inbox, (error) => this.#tell('a reply waits', error));
    this.#queue = createChatQueue({
      maxAtOnce: MAX_TURNS,
      work: (pk) => this.#answer(pk),
      onIdle: (chatId) => this.#users.delete(chatId),
      ...(parts.retryMs !== undefined && { retryMs: parts.retryMs }),
    });
    this.#asks = createChatAsks(this.name, (chats) => this.#queue.setResting(Math.min(chats, MAX_RESTING)));
    this.#turns = new ChatTurns({
      ...parts,
      name: this.name,
      asks: this.#asks,
      port: () => this.#port,
      lastPort: () => this.#lastPort,
    });
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
    const wasAwaited = this.#parts.store.inbox.accept(this.name, pk);
    this.#courier.arrived(pk);
    return wasAwaited;
  }

  /** @throws Error with the text for the plugin. */
  answerAsk(params: JsonObject): Promise<AskReceipt> {
    return this.#asks.answer(params);
  }

  /** Ends the turn that runs in a chat; returns how many that were. */
  cancelTurn(chatId: string): number {
    return this.#turns.cancel(chatId);
  }

  /** Begins nothing more. */
  stop(): void {
    this.#queue.stop();
  }

  /** Resolves when no turn runs. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Resolves when the plugin has all replies, in any case after a while. */
  delivered(limitMs: number): Promise<void> {
    return this.#courier.idle(limitMs);
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

  /** Returns false for a message that cannot be answered now. Never rejects. */
  async #answer(pk: number): Promise<boolean> {
    const { inbox } = this.#parts.store;
    try {
      const message = inbox.get(pk);
      if (message?.state === 'waiting') {
        const reply = await this.#turns.run(message);
        // One whose turn was cancelled has a reply already, without its text.
        if (reply && !inbox.answer(pk, reply)) inbox.amend(pk, reply);
      }
      this.#courier.deliver(pk);
      this.#trouble = '';
      return true;
    } catch (error) {
      if (!this.#parts.isClosing()) this.#tell('a message waits', error);
      return false;
    }
  }

  /** What happens to all of the messages is told once. */
  #tell(what: string, error: unknown): void {
    const trouble = `channel ${this.name}: ${what}: ${messageOf(error)}`;
    if (trouble !== this.#trouble) this.#parts.warn(trouble);
    this.#trouble = trouble;
  }
}
