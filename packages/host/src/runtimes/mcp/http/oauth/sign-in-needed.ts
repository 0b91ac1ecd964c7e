export interface SignInOwner {
  readonly pluginId: string;
  /** "" is nobody's in particular. */
  readonly tenant: string;
}

/** A server wants to know who calls, and nobody has signed in, or what is kept is no longer good. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';

  constructor({ pluginId, tenant }: SignInOwner, reason = 'the server asks who calls') {
    const command = `toolpost plugins login ${pluginId}${tenant === '' ? '' : ` --tenant ${tenant}`}`;
    super(`${reason}. Sign in with \`${command}\`, or give it an Authorization header`);
  }
}
