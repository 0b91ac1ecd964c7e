import { type Inbound, isJsonObject, type Session } from '@toolpost/protocol';
import { isInside } from '../builtin/confine-path.ts';
import type { Host } from '../host.ts';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { LiveSessions } from '../live-sessions/live-sessions.ts';
import { tenantOfChannel } from '../plugin-life/plugin-tenant.ts';
import { realRoots } from '../real-roots.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { SessionStore, StoredSession } from '../sessions/session-store.ts';

export interface ChatParts {
  readonly host: Host;
  readonly store: SessionStore;
  readonly sessions: LiveSessions;
}

/**
 * Who a message is from, for the host: never one of its own users, whatever the plugin writes. All members of a group
 * are one, since they share a conversation.
 */
export function userOf(channel: string, { isGroup, senderId, chatId }: Inbound): string {
  return isGroup ? `${channel}:group:${chatId}` : `${channel}:${senderId === '' ? chatId : senderId}`;
}

/** What the model is told: in a group, who says it. */
export function textOf({ content, isGroup, senderName, senderId }: Inbound): string {
  const name = senderName === '' ? senderId : senderName;
  return isGroup && name !== '' ? `[${name.replaceAll(/\s+/g, ' ')}] ${content}` : content;
}

/** @throws Error when what the host reads of a channel's configuration is wrong. */
export function checkChannel(port: ChannelPort, { settings }: Host): void {
  tenantOfChannel(settings, port);
  givenRoots(port);
}

/** The directories that the operator grants the chats of a channel: none, unless the configuration lists them. */
export function rootsOf(port: ChannelPort): string[] {
  return realRoots(givenRoots(port), process.cwd());
}

function givenRoots({ name, config }: ChannelPort): string[] {
  const { roots = [] } = config;
  if (Array.isArray(roots) && roots.every((root) => typeof root === 'string')) return roots;
  throw new Error(`channels.${name}.roots must be a list of directories`);
}

/** The session of a chat as it is kept; undefined before its first message. */
export function chatOf({ store }: ChatParts, tenant: string, channel: string, chatId: string) {
  return store.getByKey({ tenant, channel, chatId });
}

/** Opens the session of a chat. What `set_cwd` chose of the roots stays chosen as long as it is granted. */
export async function openChat(
  parts: ChatParts,
  port: ChannelPort,
  chat: Pick<Session, 'tenant' | 'chatId' | 'user'>,
): Promise<LiveSession> {
  const granted = rootsOf(port);
  const known = chatOf(parts, chat.tenant, port.name, chat.chatId);
  const roots = known ? chosenRoots(known, granted) : granted;
  return parts.sessions.open({ ...chat, channel: port.name, roots });
}

function chosenRoots({ session }: StoredSession, granted: readonly string[]): readonly string[] {
  const kept = session.roots.filter((root) => granted.some((one) => isInside(one, root)));
  return kept.length > 0 ? kept : granted;
}

/** The text of a message of a history, as far as it has any. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter((part) => isJsonObject(part) && part.type === 'text')
    .map(({ text }) => String(text))
    .join('\n');
}
