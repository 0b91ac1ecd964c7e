import { expect, test } from 'vitest';
import { createPermissions } from './decide.ts';
import { createTenantPermissions } from './tenant-permissions.ts';

const rules = {
  allow: ['grep(src/**)'],
  ask: ['grep(ask/**)', 'builtin:read(own/**)', 'other:grep(other/**)'],
  deny: ['read(secret/**)', 'grep', 'glob(hidden/**)', 'write(made/**)', 'bash(rm *)', '*(both/**)'],
};

test('a search leaves out what rules with a pattern deny or ask about; grep also what they say of read', async () => {
  const permissions = await createPermissions(rules);
  expect(permissions.withheld('grep')).toEqual([
    { pattern: 'secret/**', isOwn: false },
    { pattern: 'both/**', isOwn: true },
    { pattern: 'ask/**', isOwn: true },
    { pattern: 'own/**', isOwn: false },
  ]);
  expect(permissions.withheld('glob')).toEqual([
    { pattern: 'hidden/**', isOwn: true },
    { pattern: 'both/**', isOwn: true },
  ]);
});

test('with --yes only what is denied is left out, and a tenant has its own rules too', async () => {
  const permissions = await createTenantPermissions({ ...rules, yes: true }, { acme: { deny: ['read(acme/**)'] } });
  const patterns = (tenant?: string) => permissions.withheld('grep', tenant).map(({ pattern }) => pattern);
  expect(patterns()).toEqual(['secret/**', 'both/**']);
  expect(patterns('acme')).toEqual(['secret/**', 'both/**', 'acme/**']);
});
