import { and, asc, count, eq, lt, sql } from 'drizzle-orm';
import { channelOwners, inbound } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';
import { createTurnOwner } from './turn-owner.ts';

/** What an agent's turn came to, as it goes back through the channel. */
export interface ChannelReply {
  readonly text: string;
  /** The turn's, or `error`. */
  readonly reason: string;
}

/** A message that came in through a channel and was acknowledged: kept until its reply has arrived. */
export interface InboundMessage {
  readonly pk: number;
  readonly tenant: string;
  readonly channel: string;
  readonly chatId: string;
  /** "" when the plugin gave none. */
  readonly requestId: string;
  readonly user: string;
  readonly content: string;
  /** `waiting`: for a turn or its end; `replied`: for its reply to arrive; `done`. */
  readonly state: 'waiting' | 'replied' | 'done';
  /** Turns that were begun for it. */
  readonly attempts: number;
  /** Where the log of its turns begins; undefined before the first. */
  readonly turn: TurnPosition | undefined;
  readonly reply: ChannelReply | undefined;
}

export interface TurnPosition {
  readonly sessionId: string;
  readonly epoch: string;
  /** The number of the last event before it. */
  readonly afterSeq: number;
}

export type NewInbound = Pick<InboundMessage, 'tenant' | 'channel' | 'chatId' | 'requestId' | 'user' | 'content'>;

/**
 * The messages of channels, in `sessions.db`. Synchronous, and kept when it returns: what was acknowledged survives a
 * kill of the plugin and of the host.
 */
export interface Inbox {
  /**
   * Keeps a message. One whose request id is known in its chat is the one that is there. Undefined when it is new, and
   * `maxWaiting` wait in its channel already.
   */
  add(message: NewInbound, maxWaiting: number): { message: InboundMessage; isNew: boolean } | undefined;
  get(pk: number): InboundMessage | undefined;
  /** Those in the state, the oldest first, without their texts. */
  list(channel: string, state: InboundMessage['state']): Pick<InboundMessage, 'pk' | 'chatId' | 'user'>[];
  /** A turn begins for it. */
  begin(pk: number, turn: TurnPosition): void;
  /** The turn was given up by the host itself, and counts as none. */
  takeBack(pk: number): void;
  /** Its reply, which only the first one is. Returns whether it was. */
  answer(pk: number, reply: ChannelReply): boolean;
  /** Another reply in the place of one that has not arrived. */
  amend(pk: number, reply: ChannelReply): void;
  /** The reply has arrived. Returns whether it was waited for. */
  accept(channel: string, pk: number): boolean;
  /** Takes the channel for this process, also again; false while another one that runs has it. */
  claimChannel(channel: string): boolean;
  releaseChannel(channel: string): void;
  /** Forgets those that were done before the time, in ms since 1970: after that, one that is sent again is new. */
  prune(before: number): void;
}

type Row = typeof inbound.$inferSelect;

/** Turns what a database throws into the errors of the store. */
export type Guard = <Arguments extends unknown[], Value>(
  work: (...given: Arguments) => Value,
) => (...given: Arguments) => Value;

export function createInbox(db: SessionDatabase, guarded: Guard): Inbox {
  const { add, get, list, begin, takeBack, answer, amend, accept, claimChannel, releaseChannel, prune } =
    createUnguarded(db);
  return {
    add: guarded(add),
    get: guarded(get),
    list: guarded(list),
    begin: guarded(begin),
    takeBack: guarded(takeBack),
    answer: guarded(answer),
    amend: guarded(amend),
    accept: guarded(accept),
    claimChannel: guarded(claimChannel),
    releaseChannel: guarded(releaseChannel),
    prune: guarded(prune),
  };
}

function createUnguarded(db: SessionDatabase): Inbox {
  const owner = createTurnOwner();
  const find = (pk: number) => db.select().from(inbound).where(eq(inbound.pk, pk)).get();
  const change = (pk: number, set: Partial<Row>, state: InboundMessage['state']) =>
    db
      .update(inbound)
      .set(set)
      .where(and(eq(inbound.pk, pk), eq(inbound.state, state)))
      .run().changes > 0;

  return {
    add: (message, maxWaiting) =>
      db.transaction(
        () => {
          const known = message.requestId === '' ? undefined : findRequest(db, message);
          if (known) return { message: toMessage(known), isNew: false };
          if (countWaiting(db, message.channel) >= maxWaiting) return undefined;
          const row = db
            .insert(inbound)
            .values({ ...message, state: 'waiting', attempts: 0, changedAt: Date.now() })
            .returning()
            .get();
          return { message: toMessage(row), isNew: true };
        },
        { behavior: 'immediate' },
      ),
    get(pk) {
      const row = find(pk);
      return row && toMessage(row);
    },
    list: (channel, state) =>
      db
        .select({ pk: inbound.pk, chatId: inbound.chatId, user: inbound.user })
        .from(inbound)
        .where(and(eq(inbound.channel, channel), eq(inbound.state, state)))
        .orderBy(asc(inbound.pk))
        .all(),
    begin(pk, { sessionId: session, epoch, afterSeq }) {
      const attempts = (find(pk)?.attempts ?? 0) + 1;
      change(pk, { session, epoch, afterSeq, attempts }, 'waiting');
    },
    takeBack(pk) {
      const attempts = Math.max(0, (find(pk)?.attempts ?? 0) - 1);
      change(pk, { attempts }, 'waiting');
    },
    answer: (pk, reply) => change(pk, { state: 'replied', reply, content: '', changedAt: Date.now() }, 'waiting'),
    amend: (pk, reply) => void change(pk, { reply }, 'replied'),
    accept(channel, pk) {
      if (find(pk)?.channel !== channel) return false;
      return change(pk, { state: 'done', changedAt: Date.now() }, 'replied');
    },
    claimChannel: (channel) =>
      db.transaction(
        () => {
          const held = db.select().from(channelOwners).where(eq(channelOwners.channel, channel)).get();
          if (held && held.owner !== owner.text && owner.isRunning(held.owner, held.at)) return false;
          const set = { owner: owner.text, at: Date.now() };
          db.insert(channelOwners)
            .values({ channel, ...set })
            .onConflictDoUpdate({ target: channelOwners.channel, set })
            .run();
          return true;
        },
        { behavior: 'immediate' },
      ),
    releaseChannel(channel) {
      const ours = and(eq(channelOwners.channel, channel), eq(channelOwners.owner, owner.text));
      db.delete(channelOwners).where(ours).run();
    },
    prune(before) {
      db.delete(inbound)
        .where(and(eq(inbound.state, 'done'), lt(inbound.changedAt, before)))
        .run();
    },
  };
}

function countWaiting(db: SessionDatabase, channel: string): number {
  const isWaiting = and(eq(inbound.channel, channel), eq(inbound.state, 'waiting'));
  return db.select({ waiting: count() }).from(inbound).where(isWaiting).get()?.waiting ?? 0;
}

function findRequest(db: SessionDatabase, { tenant, channel, chatId, requestId }: NewInbound): Row | undefined {
  return db
    .select()
    .from(inbound)
    .where(
      and(
        eq(inbound.tenant, tenant),
        eq(inbound.channel, channel),
        eq(inbound.chatId, chatId),
        sql`${inbound.requestId} = ${requestId} AND ${inbound.requestId} <> ''`,
      ),
    )
    .get();
}

function toMessage({ session, epoch, afterSeq, changedAt: _, reply, state, ...row }: Row): InboundMessage {
  const turn = session === null ? undefined : { sessionId: session, epoch: epoch ?? '', afterSeq: afterSeq ?? 0 };
  return { ...row, state, turn, reply: reply ?? undefined };
}
