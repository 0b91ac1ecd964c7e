import {
  InsufficientScopeError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { DEFAULT_MAX_LINE_BYTES, isJsonObject, type JsonObject } from '@toolpost/protocol';
import { type DiscoveredPlugin, type McpServer, PluginCrash } from '../../runtime.ts';
import { RPC_CODES, RpcError } from '../rpc-error.ts';
import type { SendOptions, Transport, TransportParts } from '../transport.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { createServerAuth } from './oauth/server-auth.ts';
import { SignInNeeded, type SignInOwner } from './oauth/sign-in-needed.ts';
import { tokenFileOf } from './oauth/token-file.ts';

export interface HttpServer extends McpServer {
  readonly url: string;
}

/** How long the server may take to hear that the session is over. */
const GOODBYE_MS = 1000;
const MAX_QUOTED = 300;
const MAX_SCOPE = 2000;

/** A server with an address: Streamable HTTP of both eras, or the older way with a stream that is opened first. */
export async function openHttpTransport(
  server: HttpServer,
  plugin: DiscoveredPlugin,
  parts: TransportParts,
): Promise<Transport> {
  const transport = new HttpTransport(server, { ...parts, plugin });
  await transport.start();
  return transport;
}

interface HttpTransportParts extends TransportParts {
  readonly plugin: DiscoveredPlugin;
}

class HttpTransport implements Transport {
  readonly #parts: HttpTransportParts;
  readonly #wire: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #url: URL;
  #isClosed = false;

  constructor(server: HttpServer, parts: HttpTransportParts) {
    this.#parts = parts;
    this.#url = new URL(server.url);
    this.#wire = wireOf(server, parts);
    this.#wire.onmessage = (message: unknown) => {
      if (isJsonObject(message)) parts.handlers.onMessage(message);
    };
    this.#wire.onerror = (error) => parts.context.log(`the connection: ${error.message}`, 'debug');
    this.#wire.onclose = () => this.#close(this.#crash('the connection was closed'));
  }

  get hasRequestStreams(): boolean {
    return this.#wire instanceof StreamableHTTPClientTransport;
  }

  /** The older way of HTTP waits for the server here. */
  async start(): Promise<void> {
    const { abortSignal } = this.#parts;
    const givenUp = Promise.withResolvers<never>();
    const giveUp = (): void => givenUp.reject(abortSignal.reason);
    abortSignal.addEventListener('abort', giveUp, { once: true });
    try {
      await Promise.race([this.#wire.start(), givenUp.promise]);
    } catch (error) {
      await this.kill('could not be started');
      throw this.#explain(error);
    } finally {
      abortSignal.removeEventListener('abort', giveUp);
    }
  }

  async send(message: JsonObject, { headers, abortSignal, onStreamEnd }: SendOptions = {}): Promise<void> {
    if (this.#isClosed) throw this.#crash('the connection was closed');
    try {
      if (this.#wire instanceof SSEClientTransport) await this.#wire.send(toWire(message));
      else
        await this.#wire.send(toWire(message), {
          ...(headers && { headers }),
          ...(abortSignal && { requestSignal: abortSignal }),
          ...(onStreamEnd && { onRequestStreamEnd: onStreamEnd }),
        });
    } catch (error) {
      const explained = this.#explain(error);
      // Without its session, or its network, nothing else can be asked of it either.
      if (explained instanceof PluginCrash) this.#close(explained);
      throw explained;
    }
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion(version);
  }

  async stop(): Promise<void> {
    if (this.#wire instanceof StreamableHTTPClientTransport && !this.#isClosed) {
      const goodbye = this.#wire.terminateSession().catch(() => undefined);
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    }
    await this.kill('is closed');
  }

  async kill(reason: string): Promise<void> {
    this.#close(new PluginCrash(`The plugin ${this.#parts.plugin.id} ${reason}.`));
    await this.#wire.close().catch(() => undefined);
  }

  #close(error: PluginCrash): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.handlers.onClosing();
    this.#parts.handlers.onClosed(error);
  }

  /** What a person can do something about: never a stack, never a whole page of HTML. */
  #explain(error: unknown): Error {
    if (error instanceof SignInNeeded) return error;
    if (error instanceof UnauthorizedError) return new SignInNeeded(this.#owner);
    if (error instanceof InsufficientScopeError) return this.#askForMore(error);
    if (error instanceof SdkHttpError) return this.#explainStatus(error);
    const reason = error instanceof Error ? `${error.message}${causeOf(error)}` : String(error);
    return error instanceof TypeError ? this.#crash(`it cannot be reached: ${reason}`) : new Error(reason);
  }

  #explainStatus(error: SdkHttpError): Error {
    const { status, text } = error.data;
    const quoted = typeof text === 'string' && text !== '' ? `: ${text.slice(0, MAX_QUOTED)}` : '';
    const said = `the server answered with HTTP status ${status}${quoted}`;
    const hadSession = this.#wire instanceof StreamableHTTPClientTransport && this.#wire.sessionId !== undefined;
    if (status === 404 && hadSession) return this.#crash('its session is over, as the server says');
    if (status === 401 || status === 403) return new SignInNeeded(this.#owner, said);
    // What the server does not understand is no fault of the connection.
    return status < 500 ? new RpcError(RPC_CODES.methodNotFound, said) : new Error(said);
  }

  /** The next sign-in asks for what this one does not cover. */
  #askForMore({ message, requiredScope = '' }: InsufficientScopeError): SignInNeeded {
    const { context } = this.#parts;
    const kept = { homeDir: context.homeDir, tenant: context.tenant ?? '', serverUrl: this.#url };
    if (requiredScope !== '' && requiredScope.length <= MAX_SCOPE) tokenFileOf(kept).change({ scope: requiredScope });
    return new SignInNeeded(this.#owner, message.slice(0, MAX_QUOTED));
  }

  get #owner(): SignInOwner {
    const { plugin, context } = this.#parts;
    return { pluginId: plugin.id, tenant: context.tenant ?? '' };
  }

  #crash(reason: string): PluginCrash {
    return new PluginCrash(`The plugin ${this.#parts.plugin.id}: ${reason}`);
  }
}

function wireOf(
  server: HttpServer,
  { plugin, context }: HttpTransportParts,
): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(server.url);
  const hasOwnAuthorization = Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization');
  const options = {
    fetch: boundedFetch(plugin.manifest.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES),
    requestInit: { headers: { ...server.headers } },
    ...(!hasOwnAuthorization && {
      authProvider: createServerAuth({
        serverUrl: url,
        pluginId: plugin.id,
        homeDir: context.homeDir,
        tenant: context.tenant ?? '',
        oauth: server.oauth,
        onSecrets: context.onSecrets,
      }),
    }),
  };
  if (server.type === 'sse') return new SSEClientTransport(url, options);
  return new StreamableHTTPClientTransport(url, { ...options, onInsufficientScope: 'throw' });
}

type WireMessage = Parameters<SSEClientTransport['send']>[0];

/** Our messages are JSON-RPC, which the wire's own type spells out. */
function toWire(message: JsonObject): WireMessage {
  return message as WireMessage;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${cause.message || cause.name})` : '';
}
