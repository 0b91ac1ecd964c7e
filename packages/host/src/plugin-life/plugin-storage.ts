import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { Storage } from '@toolpost/sdk';
import { fileNameOf } from '../settings/file-names.ts';
import { withLockFile } from '../settings/lock-file.ts';

const MAX_BYTES = 10 * 1024 * 1024;

export interface PluginStorageParts {
  readonly homeDir: string;
  readonly pluginId: string;
  /** Whether the manifest has `storage.private`. */
  readonly isPermitted: boolean;
  readonly onProblem: (message: string) => void;
}

/**
 * A plugin's private store: one JSON file a tenant in `<home>/storage/<plugin>/`, rewritten through a temporary file,
 * 0600. A tenant never sees another's. A damaged file is set aside, not overwritten.
 */
export function createPluginStorage(parts: PluginStorageParts): (tenant: string) => Storage {
  const stores = new Map<string, Storage>();
  return (tenant) => {
    const known = stores.get(tenant) ?? createTenantStorage(parts, tenant);
    stores.set(tenant, known);
    return known;
  };
}

function createTenantStorage(
  { homeDir, pluginId, isPermitted, onProblem }: PluginStorageParts,
  tenant: string,
): Storage {
  const folder = join(homeDir, 'storage', pluginId);
  const file = join(folder, `${tenant === '' ? '_' : `t-${fileNameOf(tenant)}`}.json`);
  let queue: Promise<unknown> = Promise.resolve();

  /** One access at a time, so that two writes of one plugin never lose each other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!isPermitted) {
      return Promise.reject(
        new Error(`the plugin ${pluginId} has no storage: add "storage.private" to "permissions" of its plugin.json`),
      );
    }
    const next = queue.then(work);
    queue = next.catch(() => undefined);
    return next;
  }

  async function load(): Promise<JsonObject> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      if (isJsonObject(value)) return value;
      throw new SyntaxError('it holds no JSON object');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      if (!(error instanceof SyntaxError)) throw error;
      // Another host may have done it just now.
      await rename(file, `${file}.damaged-${Date.now()}`).catch(() => undefined);
      onProblem(`the storage ${file} was damaged (${error.message}); it was set aside and a new one begun`);
      return {};
    }
  }

  async function save(values: JsonObject): Promise<void> {
    const text = JSON.stringify(values);
    if (Buffer.byteLength(text) > MAX_BYTES)
      throw new Error(`the storage of the plugin ${pluginId} would exceed ${MAX_BYTES} bytes: delete keys first`);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  /** Other hosts may have changed the file since it was last read here: their values stay. */
  const change = (edit: (values: JsonObject) => void) =>
    inTurn(() =>
      withLockFile(file, async () => {
        const values = await load();
        edit(values);
        await save(values);
      }),
    );

  return {
    get: (key) => inTurn(async () => ownValue(await load(), key)),
    set: (key, value) =>
      change((values) => {
        Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true });
      }),
    delete: (key) =>
      change((values) => {
        delete values[key];
      }),
  };
}

function ownValue(values: JsonObject, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
