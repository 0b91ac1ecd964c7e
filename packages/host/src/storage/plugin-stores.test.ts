import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyValueStore } from '@toolpost/sdk';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createPluginStores, type StorageOwner } from './plugin-stores.ts';

const opened: { close(): void }[] = [];
afterAll(() => {
  for (const stores of opened) stores.close();
});

function newHome() {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-stores-'));
  const problems: string[] = [];
  const open = () => {
    const stores = createPluginStores({ homeDir, onProblem: (message) => void problems.push(message) });
    opened.push(stores);
    return stores;
  };
  return { homeDir, problems, open };
}

const owner = (pluginId: string, more: Partial<StorageOwner> = {}): StorageOwner => ({
  pluginId,
  permits: () => true,
  ...more,
});

function newStorage(more: Partial<StorageOwner> = {}) {
  const home = newHome();
  return { ...home, storage: home.open().of(owner('p', more))('') };
}

async function contentsOf(store: KeyValueStore): Promise<Record<string, unknown>> {
  const entries = (await store.keys()).map(async (key) => [key, await store.get(key)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

describe('plugin stores', () => {
  test('any JSON value under any key comes back, also in a later host', async () => {
    const { open } = newHome();
    const [first, later] = [open().of(owner('p'))('t'), open().of(owner('p'))('t')];
    const keys = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).filter((key) => key.isWellFormed());
    await fc.assert(
      fc.asyncProperty(keys, fc.jsonValue(), async (key, value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        await first.set(key, plain);
        expect(await later.get(key)).toEqual(plain);
        expect(await later.keys()).toEqual([key]);
        await later.delete(key);
        expect(await first.get(key)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('behaves as a map does, whatever is done to it in which order, and its quota is what is in it', async () => {
    const { open } = newHome();
    let round = 0;
    const key = fc.constantFrom('a', 'ab', 'b', '__proto__', 'constructor');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), key, value: fc.string({ maxLength: 60 }) }),
      fc.record({ kind: fc.constant('delete' as const), key }),
    );
    const stores = open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const limits = { storageBytes: 150, storageKeys: 3 };
        const store = stores.of(owner('p', { limits }))(`t${round++}`);
        const model = new Map<string, string>();
        const size = () =>
          [...model].reduce((sum, [name, text]) => sum + Buffer.byteLength(name + JSON.stringify(text)), 0);
        for (const one of steps) {
          if (one.kind === 'delete') {
            await store.delete(one.key);
            model.delete(one.key);
            continue;
          }
          const before = model.get(one.key);
          model.set(one.key, one.value);
          const fits = size() <= 150 && model.size <= 3;
          if (fits) await store.set(one.key, one.value);
          else {
            await expect(store.set(one.key, one.value)).rejects.toThrow('is full');
            if (before === undefined) model.delete(one.key);
            else model.set(one.key, before);
          }
        }
        expect(new Map(Object.entries(await contentsOf(store)))).toEqual(model);
      }),
      { numRuns: 40 },
    );
  });

  test('keys are listed by their beginning, in the order of their bytes', async () => {
    const { storage } = newStorage();
    for (const key of ['b', 'a/2', 'a/1', 'ä', 'A', 'a%', 'a_']) await storage.set(key, 1);
    expect(await storage.keys('a/')).toEqual(['a/1', 'a/2']);
    expect(await storage.keys('a%')).toEqual(['a%']);
    expect(await storage.keys()).toEqual(['A', 'a%', 'a/1', 'a/2', 'a_', 'b', 'ä']);
    expect(await storage.keys('z')).toEqual([]);
  });

  test('no plugin and no tenant sees another one, whatever they are called', async () => {
    const { open } = newHome();
    const stores = open();
    const tenants = ['', '_', 'a', 'A', '../a', "'; DROP TABLE sessions; --", '%', '\0', 'ü'];
    for (const id of ['p', 'q'])
      for (const tenant of tenants)
        await stores
          .of(owner(id))(tenant)
          .set('who', id + tenant);
    for (const id of ['p', 'q'])
      for (const tenant of tenants) expect(await stores.of(owner(id))(tenant).get('who')).toBe(id + tenant);
  });

  test('writes of several hosts at once all stay', async () => {
    const { open } = newHome();
    const hosts = Array.from({ length: 4 }, () => open().of(owner('p'))('t'));
    await Promise.all(
      hosts.flatMap((host, at) => Array.from({ length: 10 }, (_, key) => host.set(`${at}-${key}`, at))),
    );
    expect(await hosts[0]?.keys()).toHaveLength(40);
  });

  test('the plugins of a tenant share one store, and each answers for what it wrote there', async () => {
    const { open } = newHome();
    const stores = open();
    const limits = { storageKeys: 2 };
    const [p, q] = ['p', 'q'].map((id) => stores.of(owner(id, { limits }))('t').shared);
    if (!p || !q) throw new Error('two plugins');
    await p.set('one', 1);
    await p.set('two', 2);
    await expect(p.set('three', 3)).rejects.toThrow(/limits\.p\.storageKeys/);
    expect(await q.get('one')).toBe(1);
    await q.set('one', 'taken over');
    await p.set('three', 3);
    await q.set('four', 4);
    await expect(q.set('five', 5)).rejects.toThrow(/limits\.q\.storageKeys/);
    await p.delete('four');
    await q.set('five', 5);
    expect(await p.keys()).toEqual(['five', 'one', 'three', 'two']);
    expect(await stores.of(owner('q'))('other').shared.keys()).toEqual([]);
    expect(await stores.of(owner('q'))('t').keys()).toEqual([]);
  });

  test('a store over a quota that was lowered takes what makes it smaller', async () => {
    const { storage, open } = newStorage();
    await storage.set('big', 'x'.repeat(1000));
    await storage.set('other', 1);
    const limited = open().of(owner('p', { limits: { storageBytes: 100, storageKeys: 1 } }))('');
    await expect(limited.set('more', 1)).rejects.toThrow('full');
    await limited.set('big', 'x'.repeat(900));
    await expect(limited.set('big', 'x'.repeat(950))).rejects.toThrow('full');
    await limited.delete('other');
    expect(await limited.keys()).toEqual(['big']);
  });

  test.each([
    ['private', 'storage.private'],
    ['shared', 'storage.shared'],
  ] as const)(
    'without its permission every access to %s storage is an error that names it',
    async (which, permission) => {
      const { homeDir, storage } = newStorage({ permits: (name) => name !== permission });
      const store = which === 'shared' ? storage.shared : storage;
      for (const access of [store.get('k'), store.set('k', 1), store.delete('k'), store.keys()])
        await expect(access).rejects.toThrow(`"${permission}"`);
      expect(readdirSync(homeDir)).toEqual([]);
    },
  );

  test.each([
    ['', 'non-empty'],
    [7, 'non-empty'],
    ['\ud800', 'Unicode'],
    ['x'.repeat(513), '512'],
  ])('the key %j is refused', async (key, why) => {
    const { storage } = newStorage();
    await expect(storage.get(key as string)).rejects.toThrow(why);
    await expect(storage.set(key as string, 1)).rejects.toThrow(why);
  });

  test('a value that is no JSON, or too much, is an error, and what was there stays', async () => {
    const { storage } = newStorage();
    await storage.set('k', 'kept');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [circle, 1n, () => 1, 'x'.repeat(11 * 1024 * 1024)])
      await expect(storage.set('k', value)).rejects.toThrow();
    expect(await storage.get('k')).toBe('kept');
  });

  test('the database is made when something is stored, for its owner alone', async () => {
    const { homeDir, open } = newHome();
    const storage = open().of(owner('p'))('');
    expect(readdirSync(homeDir)).toEqual([]);
    await storage.set('k', 1);
    for (const file of readdirSync(homeDir)) expect(statSync(join(homeDir, file)).mode & 0o777).toBe(0o600);
  });

  test('a database that does not work is an error with the remedy, and is tried again', async () => {
    const { homeDir, storage } = newStorage();
    const file = join(homeDir, 'sessions.db');
    writeFileSync(file, 'no database at all, but long enough to look like one to SQLite'.repeat(20));
    await expect(storage.set('k', 1)).rejects.toThrow(
      /sessions\.db does not work: it is damaged or no database: move it/,
    );
    writeFileSync(file, '');
    await storage.set('k', 2);
    expect(await storage.get('k')).toBe(2);
  });

  test('after the close an access fails instead of opening it again', async () => {
    const { open } = newHome();
    const stores = open();
    const storage = stores.of(owner('p'))('');
    await storage.set('k', 1);
    stores.close();
    await expect(storage.get('k')).rejects.toThrow('closing');
  });
});

describe('what a plugin kept in files before', () => {
  test('is there once, for each tenant its own, and what is deleted then stays deleted', async () => {
    const { homeDir, open } = newHome();
    const dir = mkdtempSync(join(tmpdir(), 'toolpost-plugin-'));
    const folder = join(homeDir, 'storage', 'P');
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(dir, 'data'));
    writeFileSync(join(dir, 'data', 'storage.json'), '{"seed":"yes","both":"seed"}');
    writeFileSync(join(folder, '_.json'), '{"both":{"a":[1]},"__proto__":2}');
    writeFileSync(join(folder, 't-acme.json'), '{"k":"acme"}');
    const storage = open().of(owner('P', { dir }))('');
    expect(await storage.get('both')).toEqual({ a: [1] });
    expect(await storage.keys()).toEqual(['__proto__', 'both', 'seed']);
    expect(await contentsOf(open().of(owner('P', { dir }))('acme'))).toEqual({ k: 'acme' });
    await storage.delete('seed');
    expect(await open().of(owner('p', { dir }))('').keys()).toEqual(['__proto__', 'both']);
  });

  test('that is damaged is set aside, and a warning names it', async () => {
    const { homeDir, problems, open } = newHome();
    mkdirSync(join(homeDir, 'storage', 'p'), { recursive: true });
    const file = join(homeDir, 'storage', 'p', '_.json');
    writeFileSync(file, '{"k":');
    expect(await open().of(owner('p'))('').get('k')).toBeUndefined();
    const aside = readdirSync(join(homeDir, 'storage', 'p')).find((name) => name.includes('damaged')) ?? '';
    expect(readFileSync(join(homeDir, 'storage', 'p', aside), 'utf8')).toBe('{"k":');
    expect(problems).toEqual([expect.stringContaining(file)]);
  });

  test('counts for the quota', async () => {
    const { homeDir, open } = newHome();
    mkdirSync(join(homeDir, 'storage', 'p'), { recursive: true });
    writeFileSync(join(homeDir, 'storage', 'p', '_.json'), '{"k":"0123456789"}');
    const storage = open().of(owner('p', { limits: { storageBytes: 20 } }))('');
    await expect(storage.set('more', '0123456789')).rejects.toThrow('full');
    expect(await storage.get('k')).toBe('0123456789');
    const database = new Database(join(homeDir, 'sessions.db'), { readonly: true });
    expect(database.prepare('SELECT keys, bytes FROM plugin_usage').get()).toEqual({ keys: 1, bytes: 13 });
    database.close();
  });
});
