import { isJsonObject, type JsonObject } from './json.ts';
import { quoteValue } from './quote-value.ts';
import { readToolDeclaration } from './tool-declaration.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * The seeds' words between the host and a channel plugin, which are spoken beside those of the stdio wire: events of the
 * host, requests both ways, and declarations of the plugin. Section 6 of the reference.
 */
export const CHANNEL_EVENTS = {
  /** The first one: `metadata.config` is the user's configuration as JSON text. */
  config: 'channel_config',
  /** The state of a turn, in `progress`; the next one replaces it. */
  progress: 'progress_structured',
  /** The reply so far, in `content`; the next one replaces it. */
  stream: 'stream_content',
  /** The reply. */
  text: 'text',
  /** What a tool drew, in `content`. */
  genui: 'genui',
  /** A tool asks the person behind the chat: `form` holds its message and schema. For plugins that say `answers_asks`. */
  ask: 'ask_user',
  /** Not in the seeds: a question was answered or taken back. */
  askOver: 'ask_over',
} as const;

/** Each replaces what the plugin declared by the same word before. */
export const CHANNEL_DECLARATIONS = { prompt: 'channel_prompt', tools: 'channel_tools', webUi: 'web_ui' } as const;

/** `type` of a request of the host, and of the answer to one of the plugin's. */
export const CHANNEL_RPC = { request: 'rpc', response: 'rpc_response' } as const;

/** What a channel plugin asks of the host. */
export const CHANNEL_METHODS = {
  sendInbound: 'send_inbound',
  /** Not in the seeds: says that a reply has arrived, so that it is not delivered again. */
  acceptReply: 'accept_reply',
  getHistory: 'get_history',
  listSessions: 'list_sessions',
  setCwd: 'set_cwd',
  /** Not in the seeds: what the person behind a chat answered to `ask_user`. */
  answerAsk: 'answer_ask',
  /** Not in the seeds: ends the turn of a chat. */
  cancelTurn: 'cancel_turn',
} as const;
export type ChannelMethod = (typeof CHANNEL_METHODS)[keyof typeof CHANNEL_METHODS];

/** The host asks this after `channel_config`: whatever is answered says that the configuration was read. */
export const CHANNEL_PING = 'ping';

/** Channels that are Toolpost's own; no plugin may provide one. */
export const OWN_CHANNELS: readonly string[] = ['cli', 'web', 'mcp'];
export const CHANNEL_NAME = /^[^\s:]{1,64}$/;
export const CHANNEL_NAME_IN_WORDS = 'a channel name without white space and colons, of at most 64 characters';

/** An event of the host to a channel plugin. Metadata values are text, as in the seed. */
export interface ChannelEvent {
  type: (typeof CHANNEL_EVENTS)[keyof typeof CHANNEL_EVENTS];
  chat_id?: string;
  content?: string;
  progress?: JsonObject;
  form?: JsonObject;
  metadata?: Record<string, string>;
}

/** One part of what a channel adds to the system prompt of its sessions. */
export interface PromptPart {
  readonly key: string;
  readonly text: string;
}

/** What a channel plugin drew for the browser client, as it declared it. */
export interface ChannelWidget {
  readonly widgetId: string;
  readonly slot: string;
  readonly title?: string;
  readonly refresh?: unknown;
  readonly triggers?: readonly string[];
  readonly component?: string;
  readonly code?: string;
  readonly src?: string;
}

export interface DeclaredTools {
  readonly tools: ToolDefinition[];
  /** Why a tool is left out, one sentence each. */
  readonly refused: string[];
}

/**
 * Reads `channel_tools`. A tool that names no channels is for the plugin's own.
 * @throws TypeError when there is no list in it; a single wrong tool does not take the others with it.
 */
export function readChannelTools({ tools }: JsonObject, channel: string): DeclaredTools {
  const declared: DeclaredTools = { tools: [], refused: [] };
  for (const value of readList(tools, 'tools')) {
    try {
      const definition = readToolDeclaration(value);
      declared.tools.push({ ...definition, channels: definition.channels ?? [channel] });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      declared.refused.push(error.message);
    }
  }
  return declared;
}

/**
 * Reads `channel_prompt`, its parts sorted by key.
 * @throws TypeError when its parts are not texts.
 */
export function readChannelPrompt(message: JsonObject): PromptPart[] {
  const parts = message.system_parts ?? message.systemParts;
  if (!isJsonObject(parts)) throw new TypeError(`system_parts must be an object of texts, got ${quoteValue(parts)}`);
  return Object.keys(parts)
    .sort()
    .map((key) => {
      const text = parts[key];
      if (typeof text !== 'string') throw new TypeError(`system_parts.${key} must be text, got ${quoteValue(text)}`);
      return { key, text };
    });
}

/**
 * Reads `web_ui`.
 * @throws TypeError that names the widget and the field.
 */
export function readWebUi({ ui }: JsonObject): ChannelWidget[] {
  return readList(ui, 'ui').map((value, index) => readWidget(value, `ui[${index}]`));
}

function readWidget(value: unknown, place: string): ChannelWidget {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const { title, triggers, component, code, src } = value;
  if (![component, code, src].some(isText)) throw new TypeError(`${place} needs a component, code or src`);
  return {
    widgetId: readText(value.widget_id ?? value.widgetId, `${place}.widget_id`),
    slot: readText(value.slot, `${place}.slot`),
    ...(value.refresh !== undefined && { refresh: value.refresh }),
    ...(Array.isArray(triggers) && { triggers: triggers.filter(isText) }),
    ...(isText(title) && { title }),
    ...(isText(component) && { component }),
    ...(isText(code) && { code }),
    ...(isText(src) && { src }),
  };
}

/** The answer of a channel plugin to `execute_tool`, as the call path settles it. Whatever cannot be read is its own text. */
export function readChannelResult(result: unknown): unknown {
  if (!isJsonObject(result) || !('content' in result || 'error' in result)) {
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  }
  const { content, error, is_error: snake, isError = snake, ui_code: uiCode, ...rest } = result;
  const metadata = {
    ...(isJsonObject(rest.metadata) && rest.metadata),
    ...(typeof uiCode === 'string' && { ui_code: uiCode }),
  };
  const structured = rest.structuredContent ?? rest.structured_content;
  return {
    content: content ?? error ?? '',
    isError: isError === true || isError === 'true' || (content === undefined && error !== undefined),
    ...(isJsonObject(structured) && { structuredContent: structured }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** A message that came in through a channel. */
export interface Inbound {
  readonly channel?: string;
  readonly chatId: string;
  readonly content: string;
  readonly senderId: string;
  readonly senderName: string;
  readonly isGroup: boolean;
  /** Names the message: sent twice, it is one. */
  readonly requestId?: string;
}

const MAX_ID_CHARS = 256;

/**
 * Reads the params of `send_inbound`.
 * @throws TypeError that names the field.
 */
export function readInbound(params: JsonObject): Inbound {
  const { channel, content } = params;
  if (typeof content !== 'string') throw new TypeError(`content must be text, got ${quoteValue(content)}`);
  if (channel !== undefined && typeof channel !== 'string')
    throw new TypeError(`channel must be text, got ${quoteValue(channel)}`);
  const requestId = readId(params.request_id ?? params.requestId, 'request_id');
  const chatId = readId(params.chat_id ?? params.chatId, 'chat_id');
  if (chatId === undefined) throw new TypeError('chat_id must be non-empty text');
  const senderName = params.sender_name ?? params.senderName;
  return {
    ...(channel !== undefined && channel !== '' && { channel }),
    chatId,
    content,
    senderId: readId(params.sender_id ?? params.senderId, 'sender_id') ?? '',
    senderName: typeof senderName === 'string' ? senderName.slice(0, MAX_ID_CHARS) : '',
    isGroup: /group|channel/i.test(String(params.chat_type ?? params.chatType ?? '')),
    ...(requestId !== undefined && { requestId }),
  };
}

/** The answer of the person behind a chat to a form. */
export interface AskAnswerParams {
  readonly askId: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly values: JsonObject;
}

/**
 * Reads the params of `answer_ask`; values alone are an `accept`.
 * @throws TypeError that names the field.
 */
export function readAskAnswer(params: JsonObject): AskAnswerParams {
  const askId = readId(params.ask_id ?? params.askId, 'ask_id');
  if (askId === undefined) throw new TypeError('ask_id must be that of an ask_user event');
  const { values = {}, action = 'accept' } = params;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new TypeError(`action must be accept, decline or cancel, got ${quoteValue(action)}`);
  if (!isJsonObject(values)) throw new TypeError(`values must be an object, got ${quoteValue(values)}`);
  return { askId, action, values };
}

/** An id as text; numbers are written out, since many services number their chats. "" counts as none. */
export function readId(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const id = typeof value === 'number' ? String(value) : value;
  if (typeof id !== 'string') throw new TypeError(`${place} must be text, got ${quoteValue(value)}`);
  if (id.length > MAX_ID_CHARS || /\p{Cc}/u.test(id))
    throw new TypeError(`${place} must be text of at most ${MAX_ID_CHARS} characters, without control characters`);
  return id;
}

function readList(value: unknown, place: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list, got ${quoteValue(value)}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function readText(value: unknown, place: string): string {
  if (isText(value) && value !== '') return value;
  throw new TypeError(`${place} must be non-empty text, got ${quoteValue(value)}`);
}
