import { readFileSync } from 'node:fs';
import { openHomeDir, tokenFile } from '@toolpost/host';
import { type ApiClient, ApiError, createApiClient } from '@toolpost/protocol';
import { UsageError } from '../usage-error.ts';

/** A server that answered, to whoever has its token. */
export interface ServerAccess {
  readonly url: string;
  readonly client: ApiClient;
  /** The server is on this machine and wrote its token to a file: one that starts again writes another. */
  readonly renewsToken: boolean;
}

interface Token {
  readonly place: string;
  readonly renews: boolean;
  read(): string;
}

/**
 * Connects to the server at an address, with the token in TOOLPOST_TOKEN, else the one that the server of that port keeps
 * in the home directory.
 * @throws UsageError that says what to do.
 */
export async function connectTo(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerAccess> {
  const url = readAddress(address);
  const baseUrl = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const token = await findToken(url, environment);
  const client = createApiClient({
    baseUrl,
    get token() {
      return token.read();
    },
    environment: globalThis,
  });
  try {
    await client.status();
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(whyNot(error, baseUrl, token)) : error;
  }
  return { url: baseUrl, client, renewsToken: token.renews };
}

function whyNot({ status, message }: ApiError, baseUrl: string, { place }: Token): string {
  if (status === 0) return `no server answers at ${baseUrl} (${message}): \`toolpost serve\` starts one`;
  if (status === 401)
    return `the server at ${baseUrl} does not take the token of ${place}: give its own in TOOLPOST_TOKEN`;
  return `the server at ${baseUrl} cannot be used: ${message}`;
}

/** @throws UsageError for what is no address, and for one to which the token would travel in clear text. */
function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${JSON.stringify(address)} is no address of a server: write it like http://127.0.0.1:7417`);
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError(
      `${url.origin} is another machine: the token would travel in clear text. Use https or a tunnel`,
    );
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
}

/** The file's token is never sent to another machine. */
async function findToken(url: URL, environment: Readonly<Record<string, string | undefined>>): Promise<Token> {
  const given = environment.TOOLPOST_TOKEN?.trim();
  if (given) return { place: 'TOOLPOST_TOKEN', renews: false, read: () => given };
  if (!isLoopback(url)) throw new UsageError(`${url.origin} needs a token: give it in TOOLPOST_TOKEN`);
  const file = tokenFile(await openHomeDir(environment), Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
  const found = readToken(file);
  if (found === undefined)
    throw new UsageError(
      `no token is known for ${url.origin}: there is no ${file}. Start the server with the same home, or give its token in TOOLPOST_TOKEN`,
    );
  let latest = found;
  const read = () => {
    latest = readToken(file) ?? latest;
    return latest;
  };
  return { place: file, renews: true, read };
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
