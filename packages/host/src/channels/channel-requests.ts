import {
  CHANNEL_METHODS,
  type ChannelMethod,
  type JsonObject,
  quoteValue,
  readId,
  readInbound,
} from '@toolpost/protocol';
import { repairHistory } from '../agent/history.ts';
import { isInside } from '../builtin/confine-path.ts';
import { realRoots } from '../real-roots.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { StoredSession } from '../sessions/session-store.ts';
import { type ChatParts, chatOf, rootsOf, textOfContent } from './chat-sessions.ts';
import type { ServedChannel } from './served-channel.ts';

const MAX_LISTED = 500;

export interface ChannelRequest {
  readonly port: ChannelPort;
  readonly channel: ServedChannel;
  readonly params: JsonObject;
  readonly parts: ChatParts;
}

type Serve = (request: ChannelRequest) => unknown;

const METHODS: Readonly<Record<ChannelMethod, Serve>> = {
  [CHANNEL_METHODS.sendInbound]: ({ channel, params }) => channel.take(readInbound(params)),
  [CHANNEL_METHODS.acceptReply]({ channel, params }) {
    const id = readId(params.reply_id, 'reply_id');
    return { accepted: id !== undefined && /^\d{1,15}$/.test(id) && channel.accept(Number(id)) };
  },
  [CHANNEL_METHODS.answerAsk]: ({ channel, params }) => channel.answerAsk(params),
  [CHANNEL_METHODS.getHistory]: getHistory,
  [CHANNEL_METHODS.listSessions]: ({ channel: { name, tenant }, params, parts }) => {
    const listed = parts.store.list({ tenant, channel: name, limit: limitOf(params) });
    return { sessions: listed.map(describe) };
  },
  [CHANNEL_METHODS.setCwd]: setCwd,
  [CHANNEL_METHODS.cancelTurn]: ({ channel, params, parts }) => {
    const { session } = ownChat(channel, params, parts);
    return { cancelled: channel.cancelTurn(session.chatId) };
  },
};

/**
 * Answers one request of a channel plugin, which sees and moves nothing but the chats of its own channel.
 * @throws Error with the text for the plugin.
 */
export function answerRequest(method: string, request: ChannelRequest): unknown {
  const { params, channel } = request;
  const serve = Object.hasOwn(METHODS, method) ? METHODS[method as ChannelMethod] : undefined;
  if (!serve) throw new Error(`unknown method: ${method}. There are ${Object.keys(METHODS).join(', ')}`);
  const named = params.channel ?? channel.name;
  if (named !== channel.name)
    throw new Error(
      `${method}: this plugin speaks for the channel "${channel.name}" only, not for ${quoteValue(named)}`,
    );
  for (const key of ['tenant', 'user', 'session_id']) {
    if (params[key] !== undefined && params[key] !== '')
      throw new Error(`${method}: ${key} is not the plugin's to say; a sender is named by sender_id`);
  }
  return serve(request);
}

/** From the store, which has it also while the host is closing. */
function getHistory({ channel, params, parts }: ChannelRequest): unknown {
  const chat = ownChat(channel, params, parts);
  const messages = repairHistory(parts.store.history(chat.session.id)).flatMap(({ role, content }) => {
    const text = role === 'user' || role === 'assistant' ? textOfContent(content) : '';
    return text === '' ? [] : [{ role, content: text }];
  });
  return { messages: messages.slice(-limitOf(params)) };
}

/** A directory of those that the operator granted the channel; a plugin grants nothing itself. */
function setCwd({ port, channel, params, parts }: ChannelRequest): unknown {
  const chat = ownChat(channel, params, parts);
  const cwd = params.cwd ?? params.dir;
  if (typeof cwd !== 'string' || cwd === '') throw new Error(`cwd must be a directory, got ${quoteValue(cwd)}`);
  const granted = rootsOf(port);
  const [root = ''] = realRoots([cwd], granted[0] ?? process.cwd());
  if (!granted.some((one) => isInside(one, root)))
    throw new Error(`${root} is in none of the directories of this channel (channels.${port.name}.roots)`);
  parts.store.update(chat.session.id, { roots: [root] });
  return { cwd: root };
}

function ownChat({ name, tenant }: ServedChannel, params: JsonObject, parts: ChatParts): StoredSession {
  const chatId = readId(params.chat_id ?? params.chatId, 'chat_id');
  const chat = chatId === undefined ? undefined : chatOf(parts, tenant, name, chatId);
  if (chat) return chat;
  throw new Error(`there is no chat ${quoteValue(chatId)} in this channel: chat_id must name one`);
}

function describe({ session, title, createdAt, updatedAt }: StoredSession): JsonObject {
  return { session_id: session.id, chat_id: session.chatId, title, created_at: createdAt, updated_at: updatedAt };
}

function limitOf({ limit }: JsonObject): number {
  return typeof limit === 'number' && limit >= 1 ? Math.min(Math.floor(limit), MAX_LISTED) : 100;
}
