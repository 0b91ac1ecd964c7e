import { type ContentRequest, messageOf, type PluginContent, type Session } from '@toolpost/protocol';
import type { AskAnswer, AskForm } from '@toolpost/sdk';
import type { HostCore } from '../host-core.ts';
import { isForPerson } from '../registry/audience.ts';
import { isPermitted } from './plugin-entry.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** What one plugin contributes beside tools. */
export interface ListedContent {
  readonly pluginId: string;
  readonly content: PluginContent;
}

/** On whose behalf content is asked for. */
export interface ContentAsker {
  readonly session: Session;
  readonly abortSignal: AbortSignal;
  readonly ask?: ((form: AskForm) => Promise<AskAnswer>) | undefined;
}

interface Plugins {
  readonly core: HostCore;
  readonly slots: readonly PluginSlot[];
}

/** The content of the plugins whose tools the session may see, in their order. */
export function listContent(core: HostCore, slots: readonly PluginSlot[], session: Session): ListedContent[] {
  return slots.flatMap((slot) => {
    const { content } = slot.offer;
    const isEmpty = content.resources.length + content.resourceTemplates.length + content.prompts.length === 0;
    return isEmpty || !mayOffer(slot, core, session) ? [] : [{ pluginId: slot.plugin.id, content }];
  });
}

/** Content is a plugin's own, like its tools: it needs the same permission, and is for the same tenants. */
function mayOffer({ plugin: { id, manifest }, isDisabled }: PluginSlot, core: HostCore, session: Session): boolean {
  if (isDisabled || !isPermitted(manifest, 'tools.register')) return false;
  const entry = core.registry.plugins().find((one) => one.id === id);
  return isForPerson(entry ?? {}, session);
}

interface Asked {
  readonly pluginId: string;
  readonly request: ContentRequest;
}

/**
 * Asks a plugin for a part of its content, within the time of a call of its: waiting for a person does not count.
 * @throws Error that says why there is none, with secrets masked.
 */
export async function answerContent({ core, slots }: Plugins, asked: Asked, asker: ContentAsker): Promise<unknown> {
  const slot = slots.find(({ plugin }) => plugin.id === asked.pluginId);
  if (!slot || !mayOffer(slot, core, asker.session)) throw new Error(`there is no plugin ${asked.pluginId} here`);
  try {
    return await answerInTime(slot.forTenant(asker.session.tenant), asked.request, asker);
  } catch (error) {
    throw new Error(core.redact(messageOf(error)), { cause: error });
  }
}

async function answerInTime(slot: PluginSlot, request: ContentRequest, asker: ContentAsker): Promise<unknown> {
  const { id, manifest } = slot.plugin;
  const loaded = await slot.running();
  const { id: sessionId, channel, chatId, tenant, user } = asker.session;
  const expiry = new AbortController();
  const expire = () => expiry.abort(new Error(`${id} did not answer within ${manifest.timeoutMs} ms`));
  let timer = setTimeout(expire, manifest.timeoutMs);
  const ask = async (form: AskForm): Promise<AskAnswer> => {
    clearTimeout(timer);
    try {
      return (await asker.ask?.(form)) ?? { action: 'cancel' };
    } finally {
      timer = setTimeout(expire, manifest.timeoutMs);
    }
  };
  const abortSignal = AbortSignal.any([asker.abortSignal, expiry.signal]);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true });
  try {
    const session = { id: sessionId, channel, chatId, tenant, user };
    const answering = loaded.answerContent?.(request, { session, abortSignal, ask });
    return await Promise.race([answering, aborted]);
  } finally {
    clearTimeout(timer);
  }
}
