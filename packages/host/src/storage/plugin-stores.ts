import type { Permission } from '@toolpost/protocol';
import type { KeyValueStore, Storage } from '@toolpost/sdk';
import { readEarlierValues } from './earlier-values.ts';
import type { StorageQuota, StorePlace, ValueStore } from './value-store.ts';

const DEFAULT_BYTES = 10 * 1024 * 1024;
const DEFAULT_KEYS = 10_000;
const MAX_KEY_BYTES = 512;

/** Whose storage it is, and what it may keep. */
export interface StorageOwner {
  readonly pluginId: string;
  /** The plugin's folder; absent where it has none. */
  readonly dir?: string | undefined;
  permits(permission: Permission): boolean;
  /** `limits` of the configuration. */
  readonly limits?: { readonly storageBytes?: number; readonly storageKeys?: number } | undefined;
}

/** What the plugins of a home keep, in its database. Nothing is opened before a plugin reads or writes something. */
export interface PluginStores {
  /** A plugin's storage, by tenant. */
  of(owner: StorageOwner): (tenant: string) => Storage;
  /** Later accesses fail. */
  close(): void;
}

export interface PluginStoresParts {
  readonly homeDir: string;
  readonly onProblem: (message: string) => void;
}

export function createPluginStores({ homeDir, onProblem }: PluginStoresParts): PluginStores {
  let opening: Promise<ValueStore> | undefined;
  let opened: ValueStore | undefined;
  let isClosed = false;

  /** After a failure the next access tries again: a disk may have room by then. */
  const open = (): Promise<ValueStore> => {
    opening ??= openStore(homeDir).then(
      (store) => {
        opened = store;
        if (isClosed) store.close();
        return store;
      },
      (error) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  };

  return {
    of(owner) {
      const begun = new Set<string>();
      const quota = {
        bytes: owner.limits?.storageBytes ?? DEFAULT_BYTES,
        keys: owner.limits?.storageKeys ?? DEFAULT_KEYS,
      };
      const access = (permission: Permission, place: StorePlace) =>
        createAccess({
          quota,
          owner,
          place,
          async open() {
            assertPermitted(owner, permission);
            const store = await open();
            if (isClosed) throw new Error('the host is closing: its storage is closed');
            if (place.store !== '' && !begun.has(place.tenant)) {
              const { pluginId, dir: pluginDir } = owner;
              const { tenant } = place;
              store.begin(place, () => readEarlierValues({ homeDir, pluginId, pluginDir, tenant, onProblem }));
              begun.add(tenant);
            }
            return store;
          },
        });
      // Ids that differ only in case are one plugin to discovery.
      const id = owner.pluginId.toLowerCase();
      return (tenant) => ({
        ...access('storage.private', { store: id, tenant, owner: id }),
        shared: access('storage.shared', { store: '', tenant, owner: id }),
      });
    },
    close() {
      isClosed = true;
      opened?.close();
    },
  };
}

/** SQLite loads when it is used. */
async function openStore(homeDir: string): Promise<ValueStore> {
  const { openValueStore } = await import('./value-store.ts');
  return openValueStore(homeDir);
}

interface Access {
  readonly owner: StorageOwner;
  readonly place: StorePlace;
  readonly quota: StorageQuota;
  /** @throws Error when the plugin may not, or the store does not work. */
  open(): Promise<ValueStore>;
}

function createAccess({ owner, place, quota, open }: Access): KeyValueStore {
  return {
    async get(key) {
      const text = (await open()).get(place, checkedKey(key));
      return text === undefined ? undefined : JSON.parse(text);
    },
    async set(key, value) {
      const entry = { key: checkedKey(key), value: jsonTextOf(key, value), quota };
      const store = await open();
      try {
        store.set(place, entry);
      } catch (error) {
        throw explained(error, owner, quota);
      }
    },
    async delete(key) {
      (await open()).delete(place, checkedKey(key));
    },
    async keys(prefix = '') {
      return (await open()).keys(place, String(prefix));
    },
  };
}

function assertPermitted({ pluginId, permits }: StorageOwner, permission: Permission): void {
  if (permits(permission)) return;
  const what = permission === 'storage.shared' ? 'no shared storage' : 'no storage';
  throw new Error(`the plugin ${pluginId} has ${what}: add "${permission}" to "permissions" of its plugin.json`);
}

function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') throw new TypeError('the key of a stored value must be non-empty text');
  if (!key.isWellFormed()) throw new TypeError('the key of a stored value must be whole characters of Unicode');
  const bytes = Buffer.byteLength(key);
  if (bytes > MAX_KEY_BYTES)
    throw new RangeError(`the key of a stored value has ${bytes} bytes, at most ${MAX_KEY_BYTES} are allowed`);
  return key;
}

/** Read now: the value may change before the store is open. */
function jsonTextOf(key: string, value: unknown): string {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`the value of ${JSON.stringify(key)} is no JSON but a ${typeof value}`);
  return text;
}

function explained(error: unknown, { pluginId }: StorageOwner, quota: StorageQuota): unknown {
  // By its name: the class comes with SQLite, which is not loaded here.
  if (!(error instanceof Error) || error.name !== 'StorageFull' || !('exceeds' in error)) return error;
  const [most, setting] =
    error.exceeds === 'keys' ? [`${quota.keys} keys`, 'storageKeys'] : [`${quota.bytes} bytes`, 'storageBytes'];
  return new Error(
    `the storage of the plugin ${pluginId} is full: it may keep ${most} for a tenant (limits.${pluginId}.${setting}). Delete keys first.`,
    { cause: error },
  );
}
