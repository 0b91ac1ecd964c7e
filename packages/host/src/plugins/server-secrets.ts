import type { McpServer, OAuthSettings } from '../runtimes/runtime.ts';

const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie|session|private|dsn|connection|url$/i;
/** Letters and digits without the signs of a path, a sentence or an address. */
const LOOKS_RANDOM = /^(?=.*\d)(?=.*[a-z])[^\s/\\]{16,}$/i;
const PUBLIC_HEADERS = /^(?:accept.*|content-.*|user-agent|x-?mcp-.*)$/i;

/**
 * Values of a server's variables and headers that must not show up anywhere. `production` or a path would be masked in
 * every ordinary text, so a variable counts by its name, or when its value looks like a key.
 */
export function serverSecrets({ env, headers, oauth }: McpServer): string[] {
  const variables = Object.entries(env).filter(([name, value]) => SECRET_NAME.test(name) || LOOKS_RANDOM.test(value));
  const sent = Object.entries(headers).filter(([name]) => !PUBLIC_HEADERS.test(name));
  return [
    ...variables.map(([, value]) => value),
    ...sent.flatMap(([, value]) => [value, withoutScheme(value)]),
    ...clientSecrets(oauth),
  ];
}

/** Also as it is sent: `Authorization: Basic` has the id and the secret in base64. */
function clientSecrets({ clientId, clientSecret }: OAuthSettings = {}): string[] {
  if (clientSecret === undefined) return [];
  return [clientSecret, Buffer.from(`${clientId}:${clientSecret}`).toString('base64')];
}

/** `Bearer abc` may be quoted as `abc`. */
function withoutScheme(value: string): string {
  return value.replace(/^[A-Za-z]+ +/, '');
}
