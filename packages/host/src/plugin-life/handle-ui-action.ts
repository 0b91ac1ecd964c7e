import { messageOf, type Session, type UiAction } from '@toolpost/protocol';
import type { HostCore } from '../host-core.ts';
import { type EndedUiAction, toUiActionLine } from '../journal/ui-action-line.ts';
import { isForPerson } from '../registry/audience.ts';
import { NOT_HANDLED, type UiActionAnswer } from '../runtimes/runtime.ts';
import { isPermitted } from './plugin-entry.ts';
import type { PluginSlot } from './plugin-slot.ts';

const DEADLINE_MS = 30_000;

/** In whose session something was done in an interface. */
export interface UiActor {
  readonly session: Session;
  readonly abortSignal: AbortSignal;
  /** 30 seconds when absent. */
  readonly deadlineMs?: number | undefined;
}

interface Plugins {
  readonly core: HostCore;
  readonly slots: readonly PluginSlot[];
}

/**
 * Has a plugin handle what was done in an interface of its. One that may not contribute interfaces, or is not for this
 * session, is not asked. The journal has a line of it, whoever did it and whatever became of it.
 * @throws Error that says why it failed, with secrets masked.
 */
export async function handleUiAction(
  { core, slots }: Plugins,
  { pluginId, action }: { pluginId: string; action: UiAction },
  actor: UiActor,
): Promise<UiActionAnswer> {
  const { session } = actor;
  const slot = slots.find(({ plugin }) => plugin.id === pluginId);
  const told = { action, plugin: pluginId, session, startedAt: Date.now() };
  const record = (ended: Pick<EndedUiAction, 'isHandled' | 'value' | 'error'>) =>
    core.callPath.journal.record(toUiActionLine({ ...told, ...ended }), session.tenant);
  try {
    const mayBeAsked = slot && mayHandle(slot, core, session);
    const answer = mayBeAsked ? await handleInTime(slot.forTenant(session.tenant), action, actor) : NOT_HANDLED;
    record(answer);
    return answer;
  } catch (cause) {
    const error = new Error(core.redact(messageOf(cause)), { cause });
    record({ isHandled: false, error });
    throw error;
  }
}

function mayHandle({ plugin: { id, manifest }, isDisabled }: PluginSlot, core: HostCore, session: Session): boolean {
  if (isDisabled || !isPermitted(manifest, 'ui.contribute')) return false;
  const entry = core.registry.plugins().find((one) => one.id === id);
  return isForPerson(entry ?? {}, session);
}

async function handleInTime(
  slot: PluginSlot,
  action: UiAction,
  { session, abortSignal: given, deadlineMs = DEADLINE_MS }: UiActor,
): Promise<UiActionAnswer> {
  const expiry = new AbortController();
  const why = `the plugin ${slot.plugin.id} did not answer the action within ${deadlineMs} ms`;
  const timer = setTimeout(() => expiry.abort(new Error(why)), deadlineMs);
  const abortSignal = AbortSignal.any([given, expiry.signal]);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true });
  if (abortSignal.aborted) reject(abortSignal.reason);
  try {
    return await Promise.race([ask(slot, action, { session, abortSignal }), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask(slot: PluginSlot, action: UiAction, { session, abortSignal }: UiActor): Promise<UiActionAnswer> {
  const loaded = await slot.running();
  const { id, channel, chatId, tenant, user } = session;
  const context = { session: { id, channel, chatId, tenant, user }, abortSignal };
  return (await loaded.handleUiAction?.(action, context)) ?? NOT_HANDLED;
}
