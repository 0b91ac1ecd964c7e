/** For whom a plugin is: everybody when it names nobody. */
export interface Audience {
  readonly tenants?: readonly string[] | undefined;
  /** Of these tenants only these users. */
  readonly users?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Who somebody is: the part of a session that an audience is about. */
export interface Person {
  readonly tenant: string;
  readonly user: string;
}

/** The one function that says whether somebody has a plugin: its tools, hooks, texts, content and messages. */
export function isForPerson({ tenants = [], users = {} }: Audience, { tenant, user }: Person): boolean {
  if (tenants.length === 0) return true;
  if (!tenants.includes(tenant)) return false;
  return !Object.hasOwn(users, tenant) || users[tenant]?.includes(user) === true;
}
