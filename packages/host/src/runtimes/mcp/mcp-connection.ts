import { type ContentRequest, isJsonObject, type JsonObject, type PluginContent, quoteValue } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { WriteLog } from '../../processes/quiet-log.ts';
import type { PluginLife } from '../plugin-lives.ts';
import type { RuntimeCallContext } from '../runtime.ts';
import { answerContent, type ContentWait } from './answer-content.ts';
import { type Asker, answerQuestion } from './answer-question.ts';
import { followChanges } from './follow-changes.ts';
import { listContent } from './list-content.ts';
import { listTools, type ToolList } from './list-tools.ts';
import { openSession } from './open-session.ts';
import type { Introduction, ServerSession } from './protocol-eras.ts';
import type { ServerTool } from './read-tool.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import { RpcPeer } from './rpc-peer.ts';
import { ServerCall } from './server-call.ts';
import type { Transport, TransportHandlers } from './transport.ts';

/** How long a server may take to show that it lives, once a call of it was given up and nothing else runs. */
const SIGN_OF_LIFE_MS = 5000;

/** Of what a server logs, so many characters are kept. */
const MAX_NOTE = 10_000;
const NO_TOOLS: ToolList = { tools: [], problems: [] };
const LIST_CHANGES = new Set(['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`));

/** All that a server lists. */
export interface ServerOffer extends ToolList {
  readonly content: PluginContent;
}

export interface ConnectionOptions {
  readonly pluginId: string;
  readonly introduction: Introduction;
  readonly skipsDiscover: boolean;
  openTransport(handlers: TransportHandlers): Promise<Transport>;
  log: WriteLog<LogLevel>;
  onChanged(): void;
  /** It ended without being asked to. `isKilled`: the host ended it. */
  onEnd(error: Error, isKilled: boolean): void;
}

/** One life of a server: from its start to the moment when nothing of it is left. */
export class McpConnection implements TransportHandlers, PluginLife {
  readonly #options: ConnectionOptions;
  #transport: Transport | undefined;
  #peer: RpcPeer | undefined;
  #session: ServerSession | undefined;
  #stopFollowing: (() => void) | undefined;
  #end: Error | undefined;
  #isClosing = false;
  #isStopping = false;
  #isKilled = false;

  /** @throws Error when the transport cannot be opened. */
  static async open(options: ConnectionOptions): Promise<McpConnection> {
    const connection = new McpConnection(options);
    const transport = await options.openTransport(connection);
    connection.#transport = transport;
    connection.#peer = new RpcPeer(transport, {
      onRequest: (method, params) => connection.#answer(method, params),
      onNotification: (method, params) => connection.#hear(method, params),
      log: options.log,
    });
    if (connection.#end) connection.#peer.fail(connection.#end);
    return connection;
  }

  private constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Begins the session and reads the list of tools. @throws why the server cannot be used. */
  async begin(): Promise<ServerOffer> {
    const { peer, transport } = this.#parts();
    const session = await openSession(peer, this.#options);
    transport.setProtocolVersion(session.version);
    if (session.era === 'request') peer.useEnvelope(this.#options.introduction.envelope);
    // Over HTTP it opens the stream on which the server may ask during the first call.
    else await peer.notify('notifications/initialized');
    this.#session = session;
    const offer = await this.list();
    const notices = session.era === 'request' ? noticesOf(session) : {};
    if (Object.keys(notices).length > 0) {
      this.#stopFollowing = followChanges(peer, notices, () => this.#options.onChanged());
    }
    return offer;
  }

  get session(): ServerSession | undefined {
    return this.#session;
  }

  get isOpen(): boolean {
    return this.#session !== undefined && !this.#isClosing && !this.#isStopping;
  }

  get process(): Transport['process'] {
    return this.#transport?.process;
  }

  /** A server that offers resources or prompts alone has no tools to list. */
  async list(): Promise<ServerOffer> {
    const { peer } = this.#parts();
    const { pluginId, log } = this.#options;
    const capabilities = this.#session?.capabilities ?? {};
    const content = listContent(peer, capabilities, log);
    const list =
      capabilities.tools === undefined
        ? NO_TOOLS
        : await listTools(peer, { pluginId, mirrorsParams: this.#mirrorsParams });
    return { ...list, content: await content };
  }

  async answerContent(request: ContentRequest, wait: ContentWait): Promise<unknown> {
    const capabilities = this.#session?.capabilities ?? {};
    const { peer } = this.#parts();
    return answerContent({ peer, capabilities, serverId: this.#options.pluginId }, request, wait);
  }

  call(tool: ServerTool, input: JsonObject, context: RuntimeCallContext): Promise<unknown> {
    const { peer, transport } = this.#parts();
    const call = new ServerCall({ peer, tool, input, context, serverId: this.#options.pluginId });
    context.onAbort((cause) => {
      call.cancel(cause === 'timed-out' ? 'the call is past its deadline' : 'the call was cancelled');
      if (transport.process) void this.#expectSignOfLife();
    });
    return call.run({ mirrorsParams: this.#mirrorsParams });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopFollowing?.();
    await this.#transport?.stop();
  }

  async kill(reason: string): Promise<void> {
    if (!this.#isClosing) this.#isKilled = true;
    await this.#transport?.kill(reason);
  }

  onMessage(message: JsonObject): void {
    this.#peer?.receive(message);
  }

  onLost(id: number | undefined, reason: string): void {
    this.#peer?.lose(id, reason);
  }

  onClosing(): void {
    this.#isClosing = true;
  }

  onClosed(error: Error): void {
    this.#isClosing = true;
    this.#end = error;
    this.#stopFollowing?.();
    this.#peer?.fail(error);
    if (this.#session && !this.#isStopping) this.#options.onEnd(error, this.#isKilled);
  }

  /** HTTP of the later era: what stands between may look at headers alone. */
  get #mirrorsParams(): boolean {
    return this.#transport?.hasRequestStreams === true && this.#session?.era === 'request';
  }

  #parts(): { peer: RpcPeer; transport: Transport } {
    if (this.#end) throw this.#end;
    if (!this.#peer || !this.#transport) throw new Error('the connection is not open');
    return { peer: this.#peer, transport: this.#transport };
  }

  /**
   * A server that was told to give up a call need not answer, and one that hangs looks the same: it is asked for a sign of
   * life, once nothing runs that could keep it busy (fault A 25), and ended when there is none.
   */
  async #expectSignOfLife(): Promise<void> {
    const { peer } = this.#parts();
    if (peer.callsInFlight(isAsker).length > 0) return;
    const ping = peer.request(this.#session?.era === 'request' ? 'server/discover' : 'ping');
    const timer = setTimeout(() => {
      if (peer.callsInFlight(isAsker).length === 0)
        void this.kill('was ended because it does not answer any more since a call of it was given up');
    }, SIGN_OF_LIFE_MS);
    await ping.answer.catch(() => undefined);
    clearTimeout(timer);
  }

  #hear(method: string, params: JsonObject): void {
    if (LIST_CHANGES.has(method)) this.#options.onChanged();
    else if (method === 'notifications/message') this.#options.log(`${textOf(params.data)}`, levelOf(params.level));
  }

  async #answer(method: string, params: JsonObject): Promise<JsonObject> {
    if (method === 'ping') return {};
    if (method !== 'elicitation/create')
      throw new RpcError(RPC_CODES.methodNotFound, `${method}: the client has no such capability`);
    const asker = this.#whomToAsk();
    return asker ? answerQuestion(this.#options.pluginId, { method, params }, asker) : { action: 'cancel' };
  }

  /**
   * In the earlier era a question does not say what it belongs to. It goes to the user of the calls in flight, when that
   * is one; nobody gets another's question.
   */
  #whomToAsk(): Asker | undefined {
    const askers = this.#parts().peer.callsInFlight(isAsker);
    const latest = askers.at(-1);
    if (latest && askers.every(({ session }) => session.id === latest.session.id)) return latest;
    const why = latest ? 'calls of several sessions are in flight' : 'no call is in flight';
    this.#options.log(`a question of the server was answered with "cancel": ${why}`, 'warn');
    return undefined;
  }
}

/** A call, or who wants a part of the server's content. */
function isAsker(call: unknown): call is Asker {
  return call !== undefined;
}

/** What it tells of: the names of its notices, by the capabilities that they belong to. */
function noticesOf({ capabilities }: ServerSession): JsonObject {
  const tells = ['tools', 'prompts', 'resources'].filter((kind) => {
    const capability = capabilities[kind];
    return isJsonObject(capability) && capability.listChanged === true;
  });
  return Object.fromEntries(tells.map((kind) => [`${kind}ListChanged`, true]));
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data.slice(0, MAX_NOTE) : quoteValue(data, MAX_NOTE);
}

function levelOf(level: unknown): LogLevel {
  if (level === 'debug' || level === 'info') return level;
  return level === 'notice' ? 'info' : level === 'warning' ? 'warn' : 'error';
}
