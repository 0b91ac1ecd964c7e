import { messageOf, type Session } from '@toolpost/protocol';
import type { HostCore } from '../host-core.ts';
import { isForPerson } from '../registry/audience.ts';
import type { EnricherOffer } from '../runtimes/runtime.ts';
import { isPermitted } from './plugin-entry.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** All enrichers together hold up a turn for at most this long. */
const DEADLINE_MS = 2000;
const MAX_CHARS = 16_000;
const MAX_NAME_CHARS = 100;
/** Section 5 of the reference: the priority of a plugin's enricher. */
const DEFAULT_PRIORITY = 150;
/** What a channel says to its own sessions comes before what plugins say to all. */
const CHANNEL_PRIORITY = 100;

/** What plugins add to the system prompt of one turn. */
export interface ContextAdditions {
  /** One section for each enricher, lowest priority first; "" when there are none. */
  readonly text: string;
  /** Why an enricher is left out, one sentence each. */
  readonly warnings: readonly string[];
}

interface Section {
  readonly priority: number;
  readonly text: string;
}

type Outcome = Section | { readonly warning: string };

/**
 * Asks every enricher that the session may have, all at once. One that fails, or has not answered in time, is left out;
 * a plugin that is still starting then is there in the next turn. Never rejects.
 */
export async function enrichContext(
  { core, slots, deadlineMs = DEADLINE_MS }: { core: HostCore; slots: readonly PluginSlot[]; deadlineMs?: number },
  session: Session,
  abortSignal: AbortSignal,
): Promise<ContextAdditions> {
  const asked = slots.filter((slot) => mayEnrich(slot, core, session));
  if (asked.length === 0) return { text: '', warnings: [] };
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(), deadlineMs);
  const asking = { core, session, signal: AbortSignal.any([abortSignal, expiry.signal]), deadlineMs };
  const outcomes = (await Promise.all(asked.map((slot) => askPlugin(slot, asking)))).flat();
  clearTimeout(timer);
  const sections = outcomes.filter((outcome) => 'text' in outcome).sort((a, b) => a.priority - b.priority);
  return {
    text: sections.map(({ text }) => text).join(''),
    warnings: abortSignal.aborted ? [] : outcomes.flatMap((outcome) => ('warning' in outcome ? [outcome.warning] : [])),
  };
}

function mayEnrich({ plugin: { id, manifest }, isDisabled }: PluginSlot, core: HostCore, session: Session): boolean {
  if (isDisabled || !isPermitted(manifest, 'context.enrich')) return false;
  const entry = core.registry.plugins().find((one) => one.id === id);
  return isForPerson(entry ?? {}, session);
}

interface Asking {
  readonly core: HostCore;
  readonly session: Session;
  /** Aborts when the time is over, or the turn. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

async function askPlugin(slot: PluginSlot, asking: Asking): Promise<Outcome[]> {
  const { session } = asking;
  const isChannelOfIts = slot.offer.channel?.isEnabled === true && slot.offer.channel.name === session.channel;
  const isKnown = (slot.knowledge === 'own' || slot.knowledge === 'cached') && !isChannelOfIts;
  // A plugin that cannot start says so elsewhere; whether it has enrichers is not known.
  const loading = isKnown ? undefined : unlessAborted(slot.load(), asking.signal).catch(() => undefined);
  const { enrichers, channel } = (await loading) ?? slot.offer;
  const prompt = channel?.name === session.channel ? channel.prompt : [];
  const sections = prompt.map(({ key, text }) =>
    sectionOf(slot, { name: key, priority: CHANNEL_PRIORITY }, asking)(text),
  );
  const concerned = enrichers.filter(
    ({ channels = [] }) => channels.length === 0 || channels.includes(session.channel),
  );
  return [...sections, ...(await Promise.all(concerned.map((enricher) => askEnricher(slot, enricher, asking))))];
}

async function askEnricher(slot: PluginSlot, enricher: EnricherOffer, asking: Asking): Promise<Outcome> {
  const { session, signal, deadlineMs } = asking;
  const { id } = slot.plugin;
  const toSection = sectionOf(slot, enricher, asking);
  const serving = slot.forTenant(session.tenant);
  const answering = serving.load().then((loaded) => loaded.enrich(enricher.name, session, signal));
  try {
    return toSection(await unlessAborted(answering, signal));
  } catch (error) {
    const reason = signal.aborted ? `it did not answer within ${deadlineMs} ms` : messageOf(error);
    return { warning: `plugin ${id}: its context "${shortName(enricher.name)}" is left out of this turn: ${reason}` };
  }
}

/** How a text of the plugin stands in the prompt. */
function sectionOf({ plugin: { id } }: PluginSlot, { name, priority }: EnricherOffer, { core }: Asking) {
  return (value: unknown): Section => {
    const text = core.redact(toText(value));
    const section = text === '' ? '' : `\n## ${shortName(name)} (${id})\n${text}\n`;
    return { priority: priority ?? DEFAULT_PRIORITY, text: section };
  };
}

function shortName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS).toWellFormed();
}

function toText(value: unknown): string {
  if (typeof value !== 'string')
    throw new TypeError(`it gave ${value === null ? 'null' : typeof value} instead of text`);
  const text = value.trim();
  if (text.length <= MAX_CHARS) return text.toWellFormed();
  return `${text.slice(0, MAX_CHARS).toWellFormed()}\n[... ${text.length - MAX_CHARS} characters left out ...]`;
}

/** Lets go of work that ignores the signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
