import {
  CHANNEL_DECLARATIONS,
  CHANNEL_EVENTS,
  CHANNEL_METHODS,
  CHANNEL_PING,
  CHANNEL_RPC,
  HOST_METHODS,
  isJsonObject,
  type JsonObject,
} from '@toolpost/protocol';
import { type Tool, toTool } from '../define/define-tool.ts';
import type { Channel, ChannelReply, InboundMessage, Receipt } from '../plugin/channel.ts';
import type { ChannelOptions } from '../plugin/define-channel.ts';
import { errorMessage } from '../results/to-tool-result.ts';
import { declarationOf } from './activate-answer.ts';
import { answerPreview } from './answer-preview.ts';
import { answerUiAction } from './answer-ui-action.ts';
import { ChannelAsks } from './channel-asks.ts';
import { type CallsInFlight, encodeError, executeCall } from './execute-call.ts';
import type { WireExtension } from './serve-connection.ts';

const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** The channel's side of its wire: what the host sends becomes calls of the author's functions. */
export class ChannelWire implements WireExtension {
  readonly #options: ChannelOptions;
  readonly #calls: CallsInFlight;
  #tools: ReadonlyMap<unknown, Tool> = new Map();
  #channel: Channel | undefined;
  /** What the host asks waits until the channel has started, and so declared what it has. */
  #starting: Promise<void> = Promise.resolve();
  /** Replies by their id, until the host knows that they have arrived. */
  readonly #replies = new Set<string>();
  /** What is being handed on now. */
  readonly #handing = new Set<Promise<void>>();
  #isEnding = false;
  /** Absent where the channel asks nobody. */
  readonly #asks: ChannelAsks | undefined;

  constructor(options: ChannelOptions, calls: CallsInFlight) {
    this.#options = options;
    this.#calls = calls;
    const request = (method: string, params: JsonObject) => this.#request(method, params);
    const onAsk = options.onAsk?.bind(options);
    this.#asks = onAsk && new ChannelAsks({ onAsk, request, log: (message) => this.#log(message) });
  }

  get activateFields(): JsonObject {
    const { name, configSchema } = this.#options;
    const schema = configSchema && { config_schema: configSchema };
    const provider = { name, ...schema, accepts_replies: true, ...(this.#asks && { answers_asks: true }) };
    return { channel_provider: provider };
  }

  onMessage(message: JsonObject): boolean {
    const { type } = message;
    if (type === CHANNEL_RPC.request) void this.#starting.then(() => this.#onRequest(message));
    else if (type === CHANNEL_EVENTS.config) this.#start(message);
    else if (type === CHANNEL_EVENTS.text) void this.#onReply(readReply(message));
    else if (type === CHANNEL_EVENTS.progress || type === CHANNEL_EVENTS.stream) this.#onUpdate(message);
    else if (type === CHANNEL_EVENTS.ask) void this.#onAsk(message);
    else if (type === CHANNEL_EVENTS.askOver) this.#asks?.end(message);
    else if (type === CHANNEL_EVENTS.genui)
      this.#tell(() => this.#options.onDrawn?.(String(message.chat_id ?? ''), String(message.content ?? '')));
    else return false;
    return true;
  }

  #start({ metadata }: JsonObject): void {
    const { config = '{}', serving } = isJsonObject(metadata) ? metadata : {};
    const channel = this.#createChannel(JSON.parse(String(config)) as JsonObject, serving === 'true');
    this.#channel = channel;
    const { tools = [], prompt } = this.#options.declares ?? {};
    if (prompt) channel.declarePrompt(prompt);
    if (tools.length > 0) channel.declareTools(tools);
    const starting = Promise.resolve(channel).then((open) => this.#options.start(open));
    // A channel that cannot start has no use for the process; the host says why, and tries again later.
    this.#starting = starting.catch((error: unknown) => {
      process.stderr.write(`error: the channel ${channel.name} cannot start: ${errorMessage(error)}\n`);
      process.exit(1);
    });
  }

  #onRequest({ id, method, params }: JsonObject): void | Promise<void> {
    const { connection } = this.#calls.services;
    if (method === CHANNEL_PING) return connection.send(JSON.stringify({ id, result: 'pong' }));
    if (method === HOST_METHODS.webUiAction) return this.#onUiAction(id, isJsonObject(params) ? params : {});
    if (method === HOST_METHODS.previewTool) return this.#onPreview(id, isJsonObject(params) ? params : {});
    if (method !== HOST_METHODS.executeTool) return connection.send(encodeError(id, `unknown method: ${method}`));
    const { name, input = {}, context } = isJsonObject(params) ? params : {};
    const tool = this.#tools.get(name);
    if (!tool) return connection.send(encodeError(id, `Unknown tool: ${String(name)}`));
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return executeCall(tool, { id, input: text, context: isJsonObject(context) ? context : {} }, this.#calls);
  }

  #onUiAction(id: unknown, params: JsonObject): Promise<void> {
    const { signal } = new AbortController();
    const handler = this.#options.webUiAction?.bind(this.#options);
    return this.#answer(id, answerUiAction(handler, params, signal));
  }

  #onPreview(id: unknown, params: JsonObject): Promise<void> {
    const { settings } = this.#calls.services;
    const abortSignal = new AbortController().signal;
    return this.#answer(id, answerPreview(this.#tools.get(params.toolName), params, { settings, abortSignal }));
  }

  #answer(id: unknown, answering: Promise<JsonObject>): Promise<void> {
    const { connection } = this.#calls.services;
    return answering.then(
      (answer) => connection.send(JSON.stringify({ id, ...answer })),
      (error: unknown) => connection.send(encodeError(id, errorMessage(error))),
    );
  }

  async finish(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#handing);
  }

  /** One that the host delivers again meanwhile is the same. */
  async #onReply(reply: ChannelReply): Promise<void> {
    const { replyId, chatId } = reply;
    if (this.#replies.has(replyId)) return;
    if (replyId !== '') this.#replies.add(replyId);
    await this.#starting;
    let accepting: Promise<void> | undefined;
    const handing = this.#untilDone(`a reply to chat ${chatId} could not be handed on`, async () => {
      if (this.#channel) await this.#options.onReply(reply, this.#channel);
      accepting = this.#accept(replyId);
    });
    this.#handing.add(handing);
    await handing;
    this.#handing.delete(handing);
    await accepting;
    this.#replies.delete(replyId);
  }

  /** Says that a reply has arrived, before anything else happens. */
  #accept(replyId: string): Promise<void> {
    if (replyId === '') return Promise.resolve();
    return this.#untilDone('the host did not note that a reply has arrived', async () => {
      await this.#request(CHANNEL_METHODS.acceptReply, { reply_id: replyId });
    });
  }

  /** Tries at least once, and until it is done. Never rejects. */
  async #untilDone(problem: string, work: () => Promise<void>): Promise<void> {
    for (let delayMs = RETRY_MS; ; delayMs = Math.min(MAX_RETRY_MS, delayMs * 2)) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#isEnding) return;
        this.#log(`${problem}: ${errorMessage(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
    }
  }

  async #onAsk(message: JsonObject): Promise<void> {
    await this.#starting;
    if (this.#channel) await this.#asks?.take(message, this.#channel);
  }

  #onUpdate({ chat_id: chatId, content, progress }: JsonObject): void {
    const { reasoning_stream_content: reasoning, tools } = isJsonObject(progress) ? progress : {};
    const update = {
      chatId: String(chatId ?? ''),
      ...(typeof content === 'string' && { text: content }),
      ...(typeof reasoning === 'string' && { reasoning }),
      ...(Array.isArray(tools) && { tools: tools.filter(isJsonObject) }),
    };
    this.#tell(() => this.#options.onUpdate?.(update));
  }

  /** What is only shown may fail without harm. */
  #tell(show: () => void | Promise<void> | undefined): void {
    void Promise.resolve()
      .then(show)
      .catch((error: unknown) => this.#log(`an update was not shown: ${errorMessage(error)}`));
  }

  #createChannel(config: JsonObject, isServing: boolean): Channel {
    const { name } = this.#options;
    const send = (message: JsonObject) => this.#calls.services.connection.send(JSON.stringify(message));
    const request = (method: string, params: JsonObject) => this.#request(method, params);
    return {
      name,
      config,
      isServing,
      log: this.#calls.services.log,
      sendInbound: async (message) => readReceipt(await request(CHANNEL_METHODS.sendInbound, toWire(name, message))),
      async getHistory(chatId, limit) {
        const answer = await request(CHANNEL_METHODS.getHistory, { chat_id: chatId, limit });
        const { messages } = answer as { messages: { role: string; content: string }[] };
        return messages;
      },
      async listSessions(limit) {
        const { sessions } = (await request(CHANNEL_METHODS.listSessions, { limit })) as { sessions: JsonObject[] };
        return sessions;
      },
      setCwd: async (chatId, cwd) => void (await request(CHANNEL_METHODS.setCwd, { chat_id: chatId, cwd })),
      async cancelTurn(chatId) {
        const answer = await request(CHANNEL_METHODS.cancelTurn, { chat_id: chatId });
        return (answer as { cancelled: number }).cancelled;
      },
      declareTools: (tools) => {
        const checked = tools.map(toTool);
        this.#tools = new Map(checked.map((tool) => [tool.name, tool]));
        const declared = checked.map((tool) => declarationOf(tool));
        send({ type: CHANNEL_DECLARATIONS.tools, tools: declared });
      },
      declarePrompt: (parts) => send({ type: CHANNEL_DECLARATIONS.prompt, system_parts: parts }),
      declareWidgets: (widgets) => {
        const ui = widgets.map(({ widgetId, ...widget }) => ({ widget_id: widgetId, ...widget }));
        send({ type: CHANNEL_DECLARATIONS.webUi, ui });
      },
    };
  }

  #request(method: string, params: JsonObject): Promise<unknown> {
    return this.#calls.services.requests.request(method, params);
  }

  #log(message: string): void {
    this.#calls.services.log(message, 'warn');
  }
}

function toWire(channel: string, message: InboundMessage): JsonObject {
  const { chatId, content, senderId = '', senderName = '', isGroup = false, requestId } = message;
  return {
    ...{ channel, chat_id: chatId, content, sender_id: senderId, sender_name: senderName },
    chat_type: isGroup ? 'group' : 'p2p',
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

function readReceipt(answer: unknown): Receipt {
  const { message_id: messageId, duplicate, reply } = isJsonObject(answer) ? answer : {};
  return {
    messageId: String(messageId ?? ''),
    isDuplicate: duplicate === true,
    ...(isJsonObject(reply) && { reply: { text: String(reply.text ?? ''), isError: reply.reason === 'error' } }),
  };
}

function readReply({ chat_id: chatId, content, metadata }: JsonObject): ChannelReply {
  const {
    reply_id: replyId,
    request_id: requestId,
    reason,
    is_error: isError,
  } = isJsonObject(metadata) ? metadata : {};
  return {
    chatId: String(chatId ?? ''),
    text: String(content ?? ''),
    replyId: String(replyId ?? ''),
    requestId: String(requestId ?? ''),
    reason: String(reason ?? 'completed'),
    isError: isError === 'true',
  };
}
