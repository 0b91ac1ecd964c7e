import { HostError, type Session } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { builtins } from './fixtures/decisions.ts';
import { createTenantPermissions, type RuleTexts } from './tenant-permissions.ts';

const session = (tenant: string): Session => ({
  id: 's',
  tenant,
  channel: 'cli',
  chatId: 's',
  user: '',
  roots: ['/w'],
});

async function decisions(global: RuleTexts, tenants: Record<string, RuleTexts>, path = 'a.txt') {
  const permissions = await createTenantPermissions({ ...global } as object, tenants);
  return (tenant: string) =>
    permissions.decide({
      tool: builtins.read,
      shadowsAnother: false,
      input: { file_path: path },
      session: session(tenant),
    });
}

describe('rules of tenants', () => {
  test('a deny of either holds, and names its place', async () => {
    const decide = await decisions(
      { allow: ['read'] },
      { acme: { deny: ['read(a.txt)'] }, other: { allow: ['read'] } },
    );
    expect(decide('acme')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('tenants.acme.permissions.deny[0]'),
    });
    expect([decide('other').decision, decide('').decision]).toEqual(['allow', 'allow']);
  });

  test('what everybody is denied, no tenant allows itself', async () => {
    const decide = await decisions({ deny: ['read'], ask: [] }, { acme: { allow: ['read', 'read(a.txt)'] } });
    expect(decide('acme').decision).toBe('deny');
  });

  test('what either asks about is asked about', async () => {
    const decide = await decisions({ ask: ['read(b.txt)'] }, { acme: { ask: ['read(a.txt)'], allow: ['read'] } });
    expect([decide('acme').decision, decide('other').decision]).toEqual(['ask', 'allow']);
  });

  test("an allow of one tenant is nobody else's", async () => {
    const decide = await decisions({}, { acme: { allow: ['read(/etc/hosts)'] } }, '/etc/hosts');
    expect([decide('acme').decision, decide('other').decision, decide('').decision]).toEqual(['allow', 'ask', 'ask']);
  });

  test('`why` shows the rules of the asker alone', async () => {
    const permissions = await createTenantPermissions({ deny: ['read(x)'] }, { acme: { deny: ['read(y)'] } });
    const textsFor = (tenant: string) =>
      permissions.explain(builtins.read, false, tenant).rules.map(({ text }) => text);
    expect(textsFor('acme')).toEqual(['read(x)', 'read(y)']);
    expect(textsFor('other')).toEqual(['read(x)']);
  });

  test('a rule that cannot be read is named with its tenant', async () => {
    const making = createTenantPermissions({}, { acme: { deny: ['read('] } });
    await expect(making).rejects.toThrow(/tenants\.acme\.permissions\.deny\[0\]/);
    await expect(making).rejects.toBeInstanceOf(HostError);
  });
});
