import type { JsonObject } from '@toolpost/protocol';
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';

/** One row a session. `turnSeq` and `turnOwner` stand while a turn runs, and stay when its host was killed. */
export const sessions = sqliteTable(
  'sessions',
  {
    pk: integer('pk').primaryKey(),
    id: text('id').notNull().unique(),
    tenant: text('tenant').notNull(),
    channel: text('channel').notNull(),
    chatId: text('chat_id').notNull(),
    user: text('user').notNull(),
    roots: text('roots', { mode: 'json' }).$type<readonly string[]>().notNull(),
    title: text('title').notNull(),
    model: text('model'),
    epoch: text('epoch').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    lastSeq: integer('last_seq').notNull(),
    turnSeq: integer('turn_seq'),
    turnOwner: text('turn_owner'),
    /** Not null: nobody sees it, by `hidden-sessions.ts`. */
    hidden: text('hidden'),
  },
  (table) => [unique().on(table.tenant, table.channel, table.chatId), index('sessions_by_change').on(table.updatedAt)],
);

export const messages = sqliteTable(
  'messages',
  { session: ofSession(), position: integer('position').notNull(), body: text('body').notNull() },
  (table) => [primaryKey({ columns: [table.session, table.position] })],
);

/** `body` is the event without its envelope, as JSON text. */
export const events = sqliteTable(
  'events',
  {
    session: ofSession(),
    seq: integer('seq').notNull(),
    at: integer('at').notNull(),
    body: text('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.session, table.seq] })],
);

/** The codes of `ui-delta` events, each as what has changed since the one before of its chain; `added` is JSON. */
export const drawnCode = sqliteTable(
  'drawn_code',
  {
    session: ofSession(),
    chain: integer('chain').notNull(),
    seq: integer('seq').notNull(),
    kept: integer('kept').notNull(),
    added: text('added').notNull(),
  },
  (table) => [primaryKey({ columns: [table.session, table.chain, table.seq] })],
);

/** Tokens by turn, which is named by the number of its first event. */
export const usage = sqliteTable(
  'usage',
  {
    session: ofSession(),
    turnSeq: integer('turn_seq').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    totalTokens: integer('total_tokens').notNull(),
  },
  (table) => [primaryKey({ columns: [table.session, table.turnSeq] })],
);

/** Uses under a key in its latest day (days since 1970, UTC). */
export const dailyCounts = sqliteTable('daily_counts', {
  key: text('key').primaryKey(),
  day: integer('day').notNull(),
  count: integer('count').notNull(),
});

/** Messages that came in through channels. `requestId` is "" for one that has none. */
export const inbound = sqliteTable(
  'inbound',
  {
    pk: integer('pk').primaryKey({ autoIncrement: true }),
    tenant: text('tenant').notNull(),
    channel: text('channel').notNull(),
    chatId: text('chat_id').notNull(),
    requestId: text('request_id').notNull(),
    user: text('user').notNull(),
    content: text('content').notNull(),
    state: text('state').$type<'waiting' | 'replied' | 'done'>().notNull(),
    attempts: integer('attempts').notNull(),
    changedAt: integer('changed_at').notNull(),
    /** The id of the session of its latest turn, whose log begins behind `afterSeq`. */
    session: text('session'),
    epoch: text('epoch'),
    afterSeq: integer('after_seq'),
    reply: text('reply', { mode: 'json' }).$type<{ text: string; reason: string }>(),
  },
  (table) => [index('inbound_by_state').on(table.channel, table.state, table.pk)],
);

/** Which process serves a channel, as the owner of a turn is written. */
export const channelOwners = sqliteTable('channel_owners', {
  channel: text('channel').primaryKey(),
  owner: text('owner').notNull(),
  at: integer('at').notNull(),
});

/** What one process asks of the one whose turn runs in a session, `owner`, and what that one answered. */
export const relayed = sqliteTable('relayed', {
  pk: integer('pk').primaryKey({ autoIncrement: true }),
  session: ofSession(),
  owner: text('owner').notNull(),
  request: text('request', { mode: 'json' }).$type<JsonObject>().notNull(),
  answer: text('answer', { mode: 'json' }).$type<JsonObject>(),
  at: integer('at').notNull(),
});

function ofSession() {
  return integer('session')
    .notNull()
    .references(() => sessions.pk, { onDelete: 'cascade' });
}
