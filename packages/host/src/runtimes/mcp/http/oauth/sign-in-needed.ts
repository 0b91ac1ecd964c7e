/** A server wants to know who calls, and nobody has signed in, or what is kept is no longer good. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';

  constructor(pluginId: string, reason = 'the server asks who calls') {
    super(`${reason}. Sign in with \`toolpost plugins login ${pluginId}\`, or give it an Authorization header`);
  }
}
