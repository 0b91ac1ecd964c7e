import { describe, expect, test } from 'vitest';
import { type Audience, isForPerson } from './audience.ts';
import { pluginEntry, sessionOf } from './fixtures/plugin-entry.ts';
import { createRegistry } from './registry.ts';

test.each<[Audience, string, string, boolean]>([
  [{}, '', '', true],
  [{}, 'acme', 'ann', true],
  [{ tenants: [] }, 'acme', 'ann', true],
  [{ tenants: ['acme'] }, 'acme', 'ann', true],
  [{ tenants: ['acme'] }, 'other', 'ann', false],
  [{ tenants: ['acme'], users: { acme: ['ann'] } }, 'acme', 'ann', true],
  [{ tenants: ['acme'], users: { acme: ['ann'] } }, 'acme', 'bob', false],
  [{ tenants: ['acme'], users: { acme: ['ann'] } }, 'acme', '', false],
  [{ tenants: ['acme', 'other'], users: { acme: ['ann'] } }, 'other', 'bob', true],
  [{ tenants: ['__proto__'], users: {} }, '__proto__', 'bob', true],
])('%j is for tenant %j, user %j: %s', (audience, tenant, user, expected) => {
  expect(isForPerson(audience, { tenant, user })).toBe(expected);
});

describe("a user's plugin", () => {
  const registry = createRegistry();
  registry.setPlugin(pluginEntry('all', ['note']));
  registry.setPlugin(
    pluginEntry('anns', ['note', 'diary'], { scope: 'tenant', tenants: ['acme'], users: { acme: ['ann'] } }),
  );
  const [ann, bob, stranger] = [
    sessionOf({ tenant: 'acme', user: 'ann' }),
    sessionOf({ tenant: 'acme', user: 'bob' }),
    sessionOf({ tenant: 'other', user: 'ann' }),
  ];

  test('is listed, found and explained to that user, and shadows for nobody else', () => {
    const names = (session: typeof ann) =>
      registry.snapshot(session).tools.map((tool) => `${tool.plugin.id}:${tool.definition.name}`);
    expect(names(ann)).toEqual(['anns:diary', 'anns:note']);
    expect(names(bob)).toEqual(['all:note']);
    expect(names(stranger)).toEqual(['all:note']);
    expect(registry.snapshot(bob).find('diary')).toBeUndefined();
    expect(registry.snapshot(ann).shadowsAnother(registry.snapshot(ann).tools[1] ?? never())).toBe(true);
    expect(registry.snapshot(bob).shadowsAnother(registry.snapshot(bob).tools[0] ?? never())).toBe(false);
    expect(registry.explain('diary', bob).candidates).toMatchObject([
      { status: 'wrong-tenant', reason: 'hidden: plugin anns is not offered to user bob of tenant acme' },
    ]);
    expect(registry.explain('diary', ann).tool?.plugin.id).toBe('anns');
  });

  test('those that no plugin names share one snapshot', () => {
    expect(registry.snapshot(bob)).toBe(registry.snapshot(sessionOf({ tenant: 'acme', user: 'carl' })));
    expect(registry.snapshot(stranger)).toBe(registry.snapshot(sessionOf({ tenant: 'another', user: 'dan' })));
  });
});

function never(): never {
  throw new Error('there is such a tool');
}
