import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { openDatabase } from '../sessions/open-database.ts';
import { withStoreErrors } from '../sessions/store-error.ts';

/** Where values are: a plugin's own store, or with `store` "" the one that the plugins of a tenant share. */
export interface StorePlace {
  readonly store: string;
  readonly tenant: string;
  /** The plugin that reads and writes; what it wrote counts for its quota. */
  readonly owner: string;
}

/** What one plugin may keep in one store for one tenant. Bytes are those of keys and of values as JSON text. */
export interface StorageQuota {
  readonly bytes: number;
  readonly keys: number;
}

/** Thrown when a write would exceed a quota; says which. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
  readonly exceeds: keyof StorageQuota;

  constructor(exceeds: keyof StorageQuota) {
    super(`the quota of ${exceeds} is used up`);
    this.exceeds = exceeds;
  }
}

/** The values of all plugins of a home, as JSON text. Every method throws HostError SESSION_STORE_FAILED with the remedy. */
export interface ValueStore {
  get(place: StorePlace, key: string): string | undefined;
  /** @throws StorageFull; what was there stays then. */
  set(place: StorePlace, entry: { key: string; value: string; quota: StorageQuota }): void;
  delete(place: StorePlace, key: string): void;
  /** Sorted by their bytes. */
  keys(place: StorePlace, prefix: string): string[];
  /** Puts values into a place in which its owner has never kept any. Returns whether it was so. */
  begin(place: StorePlace, earlier: () => ReadonlyMap<string, string>): boolean;
  close(): void;
}

interface Kept {
  readonly owner: string;
  readonly bytes: number;
}

/** Opens the database of a home directory. @throws HostError SESSION_STORE_FAILED */
export function openValueStore(homeDir: string): ValueStore {
  const path = join(homeDir, 'sessions.db');
  const database = openDatabase(path);
  const guarded = <Arguments extends unknown[], Value>(work: (...given: Arguments) => Value) => {
    return (...given: Arguments): Value => withStoreErrors(path, () => work(...given));
  };
  const { get, keys, put, remove, find, usage, count } = statementsOf(database);
  const write = <Arguments extends unknown[], Value>(work: (...given: Arguments) => Value) =>
    guarded<Arguments, Value>(database.transaction(work).immediate);

  const keep = ({ store, tenant, owner }: StorePlace, key: string, value: string): void => {
    const former = find.get(store, tenant, key);
    if (former) count.run(store, tenant, former.owner, -1, -former.bytes);
    const bytes = sizeOf(key, value);
    put.run(store, tenant, key, owner, value, bytes);
    count.run(store, tenant, owner, 1, bytes);
  };

  return {
    get: guarded(({ store, tenant }, key) => get.get(store, tenant, key)),
    keys: guarded(({ store, tenant }, prefix) => keys.all(store, tenant, prefix)),
    set: write((place, { key, value, quota }) => {
      const { store, tenant, owner } = place;
      const former = find.get(store, tenant, key);
      const own = former?.owner === owner ? former : undefined;
      const used = usage.get(store, tenant, owner) ?? { keys: 0, bytes: 0 };
      const more = sizeOf(key, value) - (own?.bytes ?? 0);
      // What makes a store smaller is never refused, or one whose quota was lowered could not be mended.
      if (!own && used.keys >= quota.keys) throw new StorageFull('keys');
      if (more > 0 && used.bytes + more > quota.bytes) throw new StorageFull('bytes');
      keep(place, key, value);
    }),
    delete: write(({ store, tenant }, key) => {
      const former = find.get(store, tenant, key);
      if (!former) return;
      remove.run(store, tenant, key);
      count.run(store, tenant, former.owner, -1, -former.bytes);
    }),
    begin: write((place, earlier) => {
      const { store, tenant, owner } = place;
      if (usage.get(store, tenant, owner)) return false;
      for (const [key, value] of earlier()) keep(place, key, value);
      count.run(store, tenant, owner, 0, 0);
      return true;
    }),
    close: guarded(() => void database.close()),
  };
}

interface Statements {
  readonly get: Statement<[store: string, tenant: string, key: string], string>;
  readonly find: Statement<[store: string, tenant: string, key: string], Kept>;
  readonly keys: Statement<[store: string, tenant: string, prefix: string], string>;
  readonly put: Statement<unknown[]>;
  readonly remove: Statement<[store: string, tenant: string, key: string]>;
  readonly usage: Statement<[store: string, tenant: string, owner: string], StorageQuota>;
  readonly count: Statement<[store: string, tenant: string, owner: string, keys: number, bytes: number]>;
}

function statementsOf(database: Database): Statements {
  const at = 'WHERE store = ? AND tenant = ?';
  return {
    get: database
      .prepare<[string, string, string], string>(`SELECT value FROM plugin_values ${at} AND key = ?`)
      .pluck(),
    find: database.prepare(`SELECT owner, bytes FROM plugin_values ${at} AND key = ?`),
    keys: database
      .prepare<[string, string, string], string>(
        `SELECT key FROM plugin_values ${at} AND instr(key, ?) = 1 ORDER BY key`,
      )
      .pluck(),
    put: database.prepare(
      'INSERT OR REPLACE INTO plugin_values (store, tenant, key, owner, value, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    remove: database.prepare(`DELETE FROM plugin_values ${at} AND key = ?`),
    usage: database.prepare(`SELECT keys, bytes FROM plugin_usage ${at} AND owner = ?`),
    count: database.prepare(
      `INSERT INTO plugin_usage (store, tenant, owner, keys, bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET keys = keys + excluded.keys, bytes = bytes + excluded.bytes`,
    ),
  };
}

function sizeOf(key: string, value: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value);
}
