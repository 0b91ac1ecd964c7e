import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server that asks who calls, with an authorization server beside it. Tokens end when a test says so. */
export interface OAuthServer {
  readonly url: URL;
  /** What was asked of it, for instance `refresh`. */
  readonly log: string[];
  /** Every access token that was given out so far is good no more; `everything` takes the refresh tokens too. */
  expire(everything?: boolean): void;
  /** Calls need this scope. */
  requireScope(scope: string): void;
  /** Refuses the next sign-in. */
  refuseNext(): void;
  /** The queries of the sign-ins that were begun. */
  readonly asked: URLSearchParams[];
  close(): void;
}

/** Which clients it takes. Without any of it, those that register themselves. */
export interface KnownClients {
  /** The only one that it takes: it has to show its secret. */
  readonly registered?: { readonly id: string; readonly secret: string };
  /** A client's id may be the address of a page. */
  readonly takesPages?: boolean;
}

export async function startOAuthServer(lifetimeSeconds = 3600, clients: KnownClients = {}): Promise<OAuthServer> {
  const state = new AuthorizationState(lifetimeSeconds, clients);
  const server = createServer((request, response) => void state.serve(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: new URL(`${state.origin}/mcp`),
    log: state.log,
    asked: state.asked,
    expire: (everything = false) => state.expire(everything),
    requireScope: (scope) => {
      state.neededScope = scope;
    },
    refuseNext: () => {
      state.refusesNext = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

class AuthorizationState {
  readonly log: string[] = [];
  readonly asked: URLSearchParams[] = [];
  origin = '';
  refusesNext = false;
  neededScope = '';
  #grantedScope = '';
  readonly #lifetimeSeconds: number;
  readonly #clients: KnownClients;
  readonly #redirects = new Map<string, string>();
  readonly #challenges = new Map<string, string>();
  readonly #access = new Set<string>();
  readonly #refresh = new Set<string>();

  constructor(lifetimeSeconds: number, clients: KnownClients) {
    this.#lifetimeSeconds = lifetimeSeconds;
    this.#clients = clients;
  }

  expire(everything: boolean): void {
    this.#access.clear();
    if (everything) this.#refresh.clear();
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    const body = await textOf(request);
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp') {
      json(response, 200, { resource: `${this.origin}/mcp`, authorization_servers: [this.origin] });
    } else if (url.pathname === '/.well-known/oauth-authorization-server') json(response, 200, this.#metadata());
    else if (url.pathname === '/register' && !this.#clients.registered) this.#register(response, JSON.parse(body));
    else if (url.pathname === '/authorize') this.#authorize(response, url.searchParams);
    else if (url.pathname === '/token') this.#token(request, response, new URLSearchParams(body));
    else if (url.pathname === '/mcp') this.#serveMcp(request, response, body);
    else json(response, 404, {});
  }

  #metadata(): object {
    const { registered, takesPages = false } = this.#clients;
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      ...(!registered && { registration_endpoint: `${this.origin}/register` }),
      client_id_metadata_document_supported: takesPages,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [registered ? 'client_secret_basic' : 'none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #register(response: ServerResponse, client: { redirect_uris: string[] }): void {
    const id = randomUUID();
    this.#redirects.set(id, client.redirect_uris[0] ?? '');
    json(response, 201, { ...client, client_id: id });
  }

  #authorize(response: ServerResponse, query: URLSearchParams): void {
    this.asked.push(query);
    const redirect = this.#redirectOf(query);
    if (redirect === undefined || redirect !== query.get('redirect_uri')) {
      json(response, 400, { error: 'invalid_request' });
      return;
    }
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', this.origin);
    if (this.refusesNext) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.#grantedScope = query.get('scope') ?? '';
      this.#challenges.set(code, query.get('code_challenge') ?? '');
      back.searchParams.set('code', code);
    }
    this.refusesNext = false;
    response.writeHead(302, { location: back.href }).end();
  }

  #redirectOf(query: URLSearchParams): string | undefined {
    const id = query.get('client_id') ?? '';
    const { registered, takesPages } = this.#clients;
    const isKnown = registered?.id === id || (takesPages && id.startsWith('https://'));
    // Whatever its port is: RFC 8252, section 7.3.
    return isKnown ? (query.get('redirect_uri') ?? undefined) : this.#redirects.get(id);
  }

  #token({ headers }: IncomingMessage, response: ServerResponse, form: URLSearchParams): void {
    const { registered } = this.#clients;
    if (registered && headers.authorization !== `Basic ${btoa(`${registered.id}:${registered.secret}`)}`) {
      json(response, 401, { error: 'invalid_client', error_description: `not who it says: ${headers.authorization}` });
      return;
    }
    const isRefresh = form.get('grant_type') === 'refresh_token';
    this.log.push(isRefresh ? 'refresh' : 'code');
    if (!(isRefresh ? this.#refresh.delete(form.get('refresh_token') ?? '') : this.#redeem(form))) {
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    const [access, refresh] = [randomUUID(), randomUUID()];
    this.#access.add(access);
    this.#refresh.add(refresh);
    json(response, 200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: this.#lifetimeSeconds,
      refresh_token: refresh,
    });
  }

  #redeem(form: URLSearchParams): boolean {
    const code = form.get('code') ?? '';
    const challenge = this.#challenges.get(code);
    this.#challenges.delete(code);
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return challenge !== undefined && challenge === verifier;
  }

  #serveMcp({ headers }: IncomingMessage, response: ServerResponse, body: string): void {
    if (!this.#access.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
      const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
      return;
    }
    if (
      body.includes('tools/call') &&
      !` ${this.#grantedScope} `.includes(` ${this.neededScope} `) &&
      this.neededScope
    ) {
      const asks = `Bearer error="insufficient_scope", scope="${this.neededScope}"`;
      response.writeHead(403, { 'www-authenticate': asks }).end();
      return;
    }
    const { id, method, params } = JSON.parse(body || '{}');
    if (id === undefined) response.writeHead(202).end();
    else if (params?.arguments?.repeatsToken)
      json(response, 200, { jsonrpc: '2.0', id, result: text(`got ${headers.authorization}`) });
    else json(response, 200, { jsonrpc: '2.0', id, ...answerTo(method) });
  }
}

function answerTo(method: string): object {
  const serverInfo = { name: 'guarded', version: '1' };
  if (method === 'initialize')
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
  if (method === 'tools/list') return { result: { tools: [{ name: 'secret', inputSchema: { type: 'object' } }] } };
  if (method === 'tools/call') return { result: text('the secret') };
  return { error: { code: -32601, message: 'unknown' } };
}

function text(value: string): object {
  return { content: [{ type: 'text', text: value }] };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
