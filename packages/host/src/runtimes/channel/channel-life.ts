import {
  CHANNEL_DECLARATIONS,
  CHANNEL_EVENTS,
  CHANNEL_METHODS,
  CHANNEL_PING,
  CHANNEL_RPC,
  HOST_METHODS,
  isJsonObject,
  isNotImplemented,
  type JsonObject,
  type Manifest,
  messageOf,
  type Permission,
  PLUGIN_METHODS,
  type PreviewToolParams,
  quoteValue,
  readCallAnswer,
  readChannelResult,
  type ToolDefinition,
  type UiAction,
  type UiActionParams,
} from '@toolpost/protocol';
import type { LogLevel, ToolPreviewContext, UiActionContext } from '@toolpost/sdk';
import type { ProcessLink } from '../process-extension.ts';
import {
  type ChannelHost,
  type ChannelPort,
  NOT_HANDLED,
  type PluginCrash,
  type RuntimeCallContext,
  type UiActionAnswer,
} from '../runtime.ts';
import { assertPermitted, createDeclarations, type Declarations, LacksPermission } from './declarations.ts';
import { createHostCalls, type HostCalls } from './host-calls.ts';

/** A plugin that answers no question of ours and declares no tools is taken for one without any after this. */
const SETTLE_MS = 3000;
const STDIO_METHODS: readonly string[] = Object.values(PLUGIN_METHODS);
/** What a channel does by being one. Everything else it asks needs the permission `rpc`. */
const OWN_METHODS: readonly string[] = [
  CHANNEL_METHODS.sendInbound,
  CHANNEL_METHODS.acceptReply,
  CHANNEL_METHODS.answerAsk,
  CHANNEL_METHODS.cancelTurn,
];

export interface ChannelLifeOptions {
  readonly name: string;
  readonly manifest: Manifest;
  readonly link: ProcessLink;
  readonly host: ChannelHost;
  readonly config: JsonObject;
  log(message: string, level: LogLevel): void;
  /** Called when it has declared something. */
  onDeclared(): void;
}

/** One life of a channel: from `channel_config` to the end of its process. */
export class ChannelLife {
  readonly declarations: Declarations;
  /** What it has declared or asked for without them. */
  readonly lacked = new Set<Permission>();
  /** Resolves when the plugin has read its configuration and said which tools it has, soon in any case. */
  readonly settled: Promise<void>;
  readonly #options: ChannelLifeOptions;
  readonly #calls: HostCalls;
  readonly #port: ChannelPort;
  readonly #settling = Promise.withResolvers<void>();
  readonly #started = Promise.withResolvers<void>();
  /** Resolves when it is known whether it answers pings: it has, was silent for too long, or ended. */
  readonly #greeted = Promise.withResolvers<void>();
  /** Why its last declaration of a kind was left out. */
  readonly #leftOut = new Map<string, string>();
  #isSettled = false;
  #answersPings = false;
  #isServing = false;
  #ended: PluginCrash | undefined;

  constructor(options: ChannelLifeOptions) {
    const { name, manifest, link, config } = options;
    const life = this;
    this.#options = options;
    this.declarations = createDeclarations(name, manifest);
    this.#calls = createHostCalls(link, (message) => options.log(message, 'warn'));
    this.#port = {
      name,
      pluginId: manifest.id,
      acceptsReplies: link.answer.channelProvider?.acceptsReplies === true,
      answersAsks: link.answer.channelProvider?.answersAsks === true,
      get isServing() {
        return life.#isServing;
      },
      config,
      get backlog() {
        return link.backlog;
      },
      send: (event) => link.write(event),
      confirm: () => this.#confirm(),
      started: this.#started.promise,
    };
    this.settled = this.#settling.promise;
  }

  /** What it declared and cannot have, one sentence each. */
  get problems(): readonly string[] {
    return [...this.declarations.problems, ...this.#leftOut.values()];
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Sends the configuration, and from then on what comes in. */
  open(): void {
    const { host, config } = this.#options;
    this.#isServing = host.serves(this.#port);
    const metadata = { config: JSON.stringify(config), serving: String(this.#isServing) };
    this.#port.send({ type: CHANNEL_EVENTS.config, metadata });
    const timer = setTimeout(() => this.#greet(), SETTLE_MS);
    // What is asked after the configuration is answered after it, by a plugin that does not know the question too.
    this.#calls.ask(CHANNEL_PING).then(
      () => {
        this.#answersPings = true;
        this.#started.resolve();
        this.#greet();
      },
      () => undefined,
    );
    void this.#greeted.promise.then(() => clearTimeout(timer));
    host.opened(this.#port);
  }

  #greet(): void {
    this.#greeted.resolve();
    this.#settle();
  }

  #settle(): void {
    this.#isSettled = true;
    this.#settling.resolve();
  }

  /** One that answers no pings is taken at its pipe's word, while it lives. */
  async #confirm(): Promise<void> {
    await this.#greeted.promise;
    if (this.#ended) throw this.#ended;
    if (this.#answersPings) await this.#calls.ask(CHANNEL_PING);
  }

  call(tool: ToolDefinition, context: RuntimeCallContext): Promise<unknown> {
    return this.#calls.execute(tool, context);
  }

  async preview({ name }: ToolDefinition, input: JsonObject, given: ToolPreviewContext): Promise<unknown> {
    const { id: sessionId, channel, chatId, tenant, user } = given.session;
    const params: PreviewToolParams = {
      ...{ toolName: name, input: JSON.stringify(input), roots: given.roots },
      ...{ sessionId, channel, chatId, tenant, user },
    };
    const answer = readCallAnswer(await this.#calls.ask(HOST_METHODS.previewTool, params, given.abortSignal));
    return answer.ok ? answer.result : undefined;
  }

  /** Through its requests, whatever its version of the stdio wire is: the seeds' channels know no other way. */
  async handleUiAction(action: UiAction, { session, abortSignal }: UiActionContext): Promise<UiActionAnswer> {
    const { id: sessionId, channel, chatId, tenant, user } = session;
    const { toolName: widgetId, toolCallId, action: name, data } = action;
    const params: UiActionParams = {
      ...{ widgetId, action: name, data, chatId, toolCallId },
      ...{ sessionId, channel, tenant, user },
    };
    const answer = readCallAnswer(await this.#calls.ask(HOST_METHODS.webUiAction, params, abortSignal));
    if (answer.ok) return { isHandled: true, value: readChannelResult(answer.result) };
    if (isNotImplemented(answer.error)) return NOT_HANDLED;
    throw new Error(answer.error);
  }

  onMessage(message: JsonObject): boolean {
    if (typeof message.method === 'string') return this.#onRequest(message, message.method);
    if (this.#calls.receive(message)) return true;
    if (typeof message.type !== 'string') return isLateAnswer(message) && this.#ignore(message, 'nobody waits for it');
    try {
      if (!this.declarations.take(message)) return this.#ignore(message, 'a channel has no message of this type');
      this.#leftOut.delete(message.type);
      if (message.type === CHANNEL_DECLARATIONS.tools) this.#settle();
      this.#options.onDeclared();
    } catch (error) {
      if (!this.#noteLack(error)) this.#leftOut.set(message.type, `its ${message.type}: ${messageOf(error)}`);
      this.#options.log(`${message.type} is left out: ${messageOf(error)}`, 'warn');
      if (this.declarations.hasTools) this.#settle();
    }
    return true;
  }

  onOverlong(reason: string, head: string): boolean {
    return this.#calls.receiveOverlong(reason, head) || /^\s*\{\s*"type"/.test(head);
  }

  end(crash: PluginCrash): void {
    this.#ended = crash;
    this.#calls.fail(crash);
    this.#greet();
    this.#options.host.closed(this.#port);
  }

  #onRequest(message: JsonObject, method: string): boolean {
    const { link, log } = this.#options;
    if (STDIO_METHODS.includes(method)) return this.#onStdioRequest(message);
    if (message.id === undefined) {
      log(`${method} is left out: a request needs an id, which its answer carries`, 'warn');
      return true;
    }
    const answer = (body: { result: unknown } | { error: string }) =>
      link.write({ type: CHANNEL_RPC.response, id: message.id, ...body });
    // Not awaited: what a plugin asks is answered while its other requests, and the host's to it, are open.
    this.#serve(method, message.params).then(
      (result) => answer({ result: result ?? null }),
      (error: unknown) => answer({ error: messageOf(error) }),
    );
    return true;
  }

  async #serve(method: string, given: unknown): Promise<unknown> {
    const { manifest, host } = this.#options;
    const params = given ?? {};
    if (!isJsonObject(params)) throw new TypeError(`${method}: params must be an object, got ${quoteValue(params)}`);
    try {
      if (!OWN_METHODS.includes(method)) assertPermitted(manifest, 'rpc', `its request ${method}`);
    } catch (error) {
      this.#noteLack(error);
      throw error;
    }
    return host.answer(this.#port, method, params);
  }

  #noteLack(error: unknown): boolean {
    if (!(error instanceof LacksPermission)) return false;
    this.lacked.add(error.permission);
    return true;
  }

  /** Storage, settings and questions in the name of a call of ours; in the name of another call they are the dialogue's. */
  #onStdioRequest(message: JsonObject): boolean {
    const { link } = this.#options;
    const callId = isJsonObject(message.params) ? message.params.callId : undefined;
    const isOurs = typeof callId === 'string' && this.#calls.contextOf(callId) !== undefined;
    if (!isOurs && link.answer.protocolVersion === 2) return false;
    link.answerRequest(message, (id) => this.#calls.contextOf(id));
    return true;
  }

  #ignore(message: JsonObject, why: string): true {
    this.#options.log(`ignored on stdout, ${why}: ${quoteValue(message)}`, 'debug');
    return true;
  }
}

/** Of a request of ours that was given up: no answer to the one call that version 1 has in flight. */
function isLateAnswer({ id }: JsonObject): boolean {
  return typeof id === 'string' && id.startsWith('srv-');
}
