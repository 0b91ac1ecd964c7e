import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPluginStorage } from './plugin-storage.ts';

function newStorage(isPermitted = true) {
  const homeDir = mkdtempSync(join(tmpdir(), 'toolpost-storage-'));
  const problems: string[] = [];
  const open = () =>
    createPluginStorage({ homeDir, pluginId: 'p', isPermitted, onProblem: (message) => void problems.push(message) });
  return { folder: join(homeDir, 'storage', 'p'), problems, open, storageFor: open() };
}

describe('plugin storage', () => {
  test('any JSON value under any key comes back, also from a later host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.jsonValue(), async (key, value) => {
        const { storageFor, open } = newStorage();
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        await storageFor('').set(key, plain);
        expect(await open()('').get(key)).toEqual(plain);
        await storageFor('').delete(key);
        expect(await open()('').get(key)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('keys that objects treat specially are keys like others', async () => {
    const storage = newStorage().storageFor('');
    expect(await storage.get('constructor')).toBeUndefined();
    await storage.set('__proto__', { polluted: true });
    expect(await storage.get('__proto__')).toEqual({ polluted: true });
    expect(await storage.get('polluted')).toBeUndefined();
  });

  test('a hundred writes at once all stay', async () => {
    const { storageFor } = newStorage();
    const storage = storageFor('t');
    await Promise.all(Array.from({ length: 100 }, (_, index) => storage.set(`k${index}`, index)));
    const values = await Promise.all(Array.from({ length: 100 }, (_, index) => storage.get(`k${index}`)));
    expect(values).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test('writes of several hosts at once all stay', async () => {
    const { open, folder } = newStorage();
    const hosts = Array.from({ length: 4 }, () => open()('t'));
    await Promise.all(
      hosts.flatMap((host, at) => Array.from({ length: 10 }, (_, key) => host.set(`${at}-${key}`, at))),
    );
    const later = open()('t');
    for (const [at] of hosts.entries())
      for (let key = 0; key < 10; key++) expect(await later.get(`${at}-${key}`)).toBe(at);
    expect(readdirSync(folder)).toEqual(['t-t.json']);
  });

  test('the lock of a host that was killed does not stay', async () => {
    const { storageFor, folder } = newStorage();
    await storageFor('t').set('k', 1);
    const lock = join(folder, 't-t.json.lock');
    writeFileSync(lock, '');
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(lock, hourAgo, hourAgo);
    await storageFor('t').set('k', 2);
    expect(await storageFor('t').get('k')).toBe(2);
  });

  test('no tenant sees or overwrites another, whatever they are called', async () => {
    const { storageFor, folder } = newStorage();
    const tenants = ['', '_', 'a', 'A', '../a', 'a/b', 'a%2Fb', 't-a', '.', '..', 'ü'];
    for (const tenant of tenants) await storageFor(tenant).set('who', tenant);
    for (const tenant of tenants) expect(await storageFor(tenant).get('who')).toBe(tenant);
    expect(readdirSync(folder)).toHaveLength(tenants.length);
    expect(new Set(readdirSync(folder).map((name) => name.toLowerCase())).size).toBe(tenants.length);
  });

  test('is private to its owner', async () => {
    const { storageFor, folder } = newStorage();
    await storageFor('').set('k', 1);
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('a damaged file is set aside, not lost, and a warning names it', async () => {
    const { storageFor, folder, problems } = newStorage();
    await storageFor('').set('k', 1);
    const [file = ''] = readdirSync(folder);
    writeFileSync(join(folder, file), '{"k":');
    expect(await storageFor('').get('k')).toBeUndefined();
    await storageFor('').set('k', 2);
    expect(await storageFor('').get('k')).toBe(2);
    const aside = readdirSync(folder).find((name) => name.includes('damaged')) ?? '';
    expect(readFileSync(join(folder, aside), 'utf8')).toBe('{"k":');
    expect(problems[0]).toContain(join(folder, file));
  });

  test('a value that is not JSON, or too much of it, is an error, and what was there stays', async () => {
    const storage = newStorage().storageFor('');
    await storage.set('k', 'kept');
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [circle, 1n, 'x'.repeat(11 * 1024 * 1024)]) {
      await expect(storage.set('k', value)).rejects.toThrow();
    }
    expect(await storage.get('k')).toBe('kept');
  });

  test('without the permission every access is an error that names it', async () => {
    const storage = newStorage(false).storageFor('');
    for (const access of [storage.get('k'), storage.set('k', 1), storage.delete('k')]) {
      await expect(access).rejects.toThrow('"storage.private"');
    }
  });
});
