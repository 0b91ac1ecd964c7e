import { createPermissions, type PermissionOptions, type Permissions, type RuleText } from './decide.ts';

export type RuleTexts = { readonly [List in 'allow' | 'ask' | 'deny']?: readonly string[] | undefined };

/**
 * The permissions of a host whose tenants have rules of their own beside those of everybody: what either denies is
 * denied, what either asks about is asked about, and an allow of either holds. No tenant's rule reaches another one.
 * @throws HostError CONFIG_INVALID that names the rule and what is wrong with it.
 */
export async function createTenantPermissions(
  options: PermissionOptions,
  tenants: Readonly<Record<string, RuleTexts | undefined>>,
): Promise<Permissions> {
  const everybody = await createPermissions(options);
  const byTenant = new Map<string, Permissions>();
  for (const [tenant, rules] of Object.entries(tenants)) {
    if (rules) byTenant.set(tenant, await createPermissions(withRules(options, tenant, rules)));
  }
  if (byTenant.size === 0) return everybody;
  const of = (tenant: string) => byTenant.get(tenant) ?? everybody;
  return {
    decide: (request) => of(request.session.tenant).decide(request),
    pathsToResolve: (request) => of(request.session.tenant).pathsToResolve(request),
    withheld: (tool, tenant = '') => of(tenant).withheld(tool, tenant),
    explain: (tool, shadowsAnother, tenant = '') => of(tenant).explain(tool, shadowsAnother, tenant),
  };
}

function withRules(options: PermissionOptions, tenant: string, rules: RuleTexts): PermissionOptions {
  const joined = (list: keyof RuleTexts): RuleText[] => [
    ...(options[list] ?? []),
    ...(rules[list] ?? []).map((text, index) => ({ text, place: `tenants.${tenant}.permissions.${list}[${index}]` })),
  ];
  return { ...options, allow: joined('allow'), ask: joined('ask'), deny: joined('deny') };
}
