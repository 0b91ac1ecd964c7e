import { type Inbound, isJsonObject, type Session } from '@toolpost/protocol';
import { isInside } from '../builtin/confine-path.ts';
import type { Host } from '../host.ts';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { LiveSessions } from '../live-sessions/live-sessions.ts';
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

/**
 * The tenant whose sessions a channel's chats are: the one that its configuration names, or that the plugin belongs to.
 * @throws Error when that is none, or several.
 */
export function tenantOf({ name, pluginId, config }: ChannelPort, { settings }: Host): string {
  const owners = Object.entries(settings.tenants).filter(([, { plugins }]) => plugins?.includes(pluginId));
  const ids = owners.map(([id]) => id);
  const chosen = config.tenant ?? (ids.length > 1 ? undefined : (ids[0] ?? ''));
  if (typeof chosen !== 'string')
    throw new Error(`channels.${name}.tenant must name one of the tenants of plugin ${pluginId}: ${ids.join(', ')}`);
  if (chosen !== '' && !Object.hasOwn(settings.tenants, chosen))
    throw new Error(`channels.${name}.tenant: there is no tenant ${JSON.stringify(chosen)}`);
  return chosen;
}

/** The directories that the operator grants the chats of a channel: none, unless the configuration lists them. */
export function rootsOf({ name, config }: ChannelPort): string[] {
  const { roots = [] } = config;
  if (!Array.isArray(roots) || !roots.every((root) => typeof root === 'string'))
    throw new Error(`channels.${name}.roots must be a list of directories`);
  return realRoots(roots, process.cwd());
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
