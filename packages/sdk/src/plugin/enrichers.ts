import { type EnricherDeclaration, isJsonObject, quoteValue } from '@toolpost/protocol';
import type { HookEvent } from './hooks.ts';

/** The session whose system prompt gets the text. */
export type EnricherSession = HookEvent['session'];

/** Gives a text for the system prompt of a turn, within two seconds; nothing, or "", leaves it out. */
export type EnricherHandler = (
  session: EnricherSession,
  abortSignal: AbortSignal,
) => string | undefined | Promise<string | undefined>;

export interface PluginEnricher extends EnricherDeclaration {
  enrich: EnricherHandler;
}

/** An enricher that always says the same (seed A: StaticEnricher). */
export function staticEnricher(text: string): EnricherHandler {
  return () => text;
}

/**
 * Checks an enricher that may come from plain JavaScript.
 * @throws TypeError that names the place.
 */
export function toEnricher(value: unknown, place: string): PluginEnricher {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const { name, priority, channels, enrich } = value;
  if (typeof name !== 'string' || name.trim() === '') {
    throw new TypeError(`${place}.name must be non-empty text, got ${quoteValue(name)}`);
  }
  if (typeof enrich !== 'function') {
    throw new TypeError(`${place}.enrich must be a function, got ${quoteValue(enrich)}`);
  }
  if (priority !== undefined && typeof priority !== 'number') {
    throw new TypeError(`${place}.priority must be a number, got ${quoteValue(priority)}`);
  }
  if (channels !== undefined && !(Array.isArray(channels) && channels.every((one) => typeof one === 'string'))) {
    throw new TypeError(`${place}.channels must be a list of texts, got ${quoteValue(channels)}`);
  }
  return {
    name,
    ...(priority !== undefined && { priority }),
    ...(channels !== undefined && { channels }),
    enrich: (session, abortSignal) => enrich.call(value, session, abortSignal),
  };
}

/**
 * Runs one enricher.
 * @throws what it threw, Error when there is none of that name, TypeError when it gave something other than text.
 */
export async function runEnricher(
  enrichers: readonly PluginEnricher[],
  name: string,
  { session, abortSignal }: { session: EnricherSession; abortSignal: AbortSignal },
): Promise<string> {
  const enricher = enrichers.find((one) => one.name === name);
  if (!enricher) throw new Error(`Unknown enricher: ${name}`);
  const text: unknown = (await enricher.enrich(session, abortSignal)) ?? '';
  if (typeof text !== 'string') throw new TypeError(`the enricher ${name} must give text, got ${quoteValue(text)}`);
  return text;
}
