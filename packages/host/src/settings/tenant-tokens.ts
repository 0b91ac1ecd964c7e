import type { Settings } from './settings-schema.ts';

export interface TenantToken {
  readonly token: string;
  readonly tenant: string;
  /** "" for the tenant's own. */
  readonly user: string;
}

export interface TenantTokens {
  readonly tokens: readonly TenantToken[];
  /** Those of the environment that they are taken from. */
  readonly variables: readonly string[];
  readonly warnings: readonly string[];
}

/** A guessable token opens everything that the tenant has. */
const SHORTEST_TOKEN = 16;

/**
 * The tokens of all tenants and users; `env:NAME` takes one from the environment. What cannot be one is left out with a
 * warning, which never quotes it.
 */
export function readTenantTokens(
  tenants: Settings['tenants'],
  environment: Readonly<Record<string, string | undefined>>,
): TenantTokens {
  const tokens: TenantToken[] = [];
  const variables: string[] = [];
  const warnings: string[] = [];
  const add = (entries: readonly string[] = [], place: string, owner: Omit<TenantToken, 'token'>) => {
    entries.forEach((entry, index) => {
      const [, variable] = /^env:(.*)$/s.exec(entry) ?? [];
      if (variable !== undefined) variables.push(variable);
      const token = (variable === undefined ? entry : (environment[variable] ?? '')).trim();
      const problem = problemOf(token, variable);
      if (problem === undefined) tokens.push({ ...owner, token });
      else warnings.push(`${place}.tokens[${index}]: ${problem}`);
    });
  };
  for (const [tenant, { tokens: own, users = {} }] of Object.entries(tenants)) {
    add(own, `tenants.${tenant}`, { tenant, user: '' });
    for (const [user, { tokens: theirs }] of Object.entries(users))
      add(theirs, `tenants.${tenant}.users.${user}`, { tenant, user });
  }
  return { tokens, variables, warnings };
}

function problemOf(token: string, variable: string | undefined): string | undefined {
  const remedy = 'nobody comes in by it';
  if (token === '' && variable !== undefined) return `the variable ${variable} is not set: ${remedy}`;
  if (/\s/.test(token)) return `a token holds no blanks: ${remedy}`;
  if (token.length < SHORTEST_TOKEN) return `a token has at least ${SHORTEST_TOKEN} characters: ${remedy}`;
  return undefined;
}
