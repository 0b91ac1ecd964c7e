/**
 * The steps from an empty database to today's tables; `PRAGMA user_version` counts those that were taken. A step that
 * was published never changes: what comes after it is a new one. They are code and no files, so that the bundle carries
 * them.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
     pk INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     tenant TEXT NOT NULL,
     channel TEXT NOT NULL,
     chat_id TEXT NOT NULL,
     user TEXT NOT NULL,
     roots TEXT NOT NULL,
     title TEXT NOT NULL,
     model TEXT,
     epoch TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     last_seq INTEGER NOT NULL,
     turn_seq INTEGER,
     turn_owner TEXT,
     UNIQUE (tenant, channel, chat_id)
   ) STRICT;
   CREATE INDEX sessions_by_change ON sessions (updated_at);
   CREATE TABLE messages (
     session INTEGER NOT NULL REFERENCES sessions (pk) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (session, position)
   ) STRICT, WITHOUT ROWID;
   -- With row ids: what many sessions append at once goes to one place of the file, which takes half the time.
   CREATE TABLE events (
     session INTEGER NOT NULL REFERENCES sessions (pk) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     at INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;
   CREATE TABLE usage (
     session INTEGER NOT NULL REFERENCES sessions (pk) ON DELETE CASCADE,
     turn_seq INTEGER NOT NULL,
     input_tokens INTEGER NOT NULL,
     output_tokens INTEGER NOT NULL,
     total_tokens INTEGER NOT NULL,
     PRIMARY KEY (session, turn_seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE daily_counts (
     key TEXT PRIMARY KEY,
     day INTEGER NOT NULL,
     count INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE inbound (
     pk INTEGER PRIMARY KEY AUTOINCREMENT,
     tenant TEXT NOT NULL,
     channel TEXT NOT NULL,
     chat_id TEXT NOT NULL,
     request_id TEXT NOT NULL,
     user TEXT NOT NULL,
     content TEXT NOT NULL,
     state TEXT NOT NULL,
     attempts INTEGER NOT NULL,
     changed_at INTEGER NOT NULL,
     session TEXT,
     epoch TEXT,
     after_seq INTEGER,
     reply TEXT
   ) STRICT;
   CREATE INDEX inbound_by_state ON inbound (channel, state, pk);
   CREATE INDEX inbound_by_session ON inbound (session);
   CREATE UNIQUE INDEX inbound_by_request ON inbound (tenant, channel, chat_id, request_id) WHERE request_id <> '';
   CREATE TABLE channel_owners (
     channel TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  // "" as the store is what the plugins of a tenant share; the owner is who has to answer for its size.
  `CREATE TABLE plugin_values (
     store TEXT NOT NULL,
     tenant TEXT NOT NULL,
     key TEXT NOT NULL,
     owner TEXT NOT NULL,
     value TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     PRIMARY KEY (store, tenant, key)
   ) STRICT;
   CREATE TABLE plugin_usage (
     store TEXT NOT NULL,
     tenant TEXT NOT NULL,
     owner TEXT NOT NULL,
     keys INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     PRIMARY KEY (store, tenant, owner)
   ) STRICT, WITHOUT ROWID;`,
  // With row ids, like the events.
  `CREATE TABLE drawn_code (
     session INTEGER NOT NULL REFERENCES sessions (pk) ON DELETE CASCADE,
     chain INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     kept INTEGER NOT NULL,
     added TEXT NOT NULL,
     PRIMARY KEY (session, chain, seq)
   ) STRICT;`,
  `CREATE TABLE relayed (
     pk INTEGER PRIMARY KEY AUTOINCREMENT,
     session INTEGER NOT NULL REFERENCES sessions (pk) ON DELETE CASCADE,
     owner TEXT NOT NULL,
     request TEXT NOT NULL,
     answer TEXT,
     at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX relayed_by_session ON relayed (session);`,
  `ALTER TABLE sessions ADD COLUMN hidden TEXT;
   CREATE INDEX sessions_hidden ON sessions (hidden) WHERE hidden IS NOT NULL;`,
];
