import { createHash } from 'node:crypto';
import { foldName } from './fold-name.ts';

/** What OpenAI, Anthropic and MCP clients take as a tool's name. */
const WIRE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Whether a tool's name is taken by the wire as it is. */
export function isWireName(name: string): boolean {
  // Providers look names up in plain objects, where every object has a `constructor`.
  return WIRE_NAME.test(name) && !(name in Object.prototype);
}

/** Names on the wire of a model or client, and back. Users, logs and approvals see the tool's own name. */
export interface WireNames {
  /** The name itself where the wire takes it, else its alias. A name that was not given stays as it is. */
  toWire(name: string): string;
  /** The tool's own name. A text that is no alias stays as it is: whether it names a tool is the registry's business. */
  fromWire(alias: string): string;
}

/**
 * Aliases for the names that a wire refuses (`calendar.read`, 80 characters, another script, `constructor`): readable, unique also
 * when case is folded, never another tool's name, and made from the name alone, so that they stay when other tools
 * come and go.
 */
export function createWireNames(names: readonly string[]): WireNames {
  const taken = new Set<string>();
  const refused: string[] = [];
  for (const name of names) {
    if (isWireName(name)) taken.add(foldName(name));
    else refused.push(name);
  }
  const aliases = new Map<string, string>();
  const originals = new Map<string, string>();
  // Sorted, so that two names that meet in one alias resolve alike whichever was listed first.
  for (const name of new Set(refused.sort())) {
    const alias = freeAlias(name, taken);
    taken.add(foldName(alias));
    aliases.set(name, alias);
    originals.set(alias, name);
  }
  return {
    toWire: (name) => aliases.get(name) ?? name,
    fromWire: (alias) => originals.get(alias) ?? alias,
  };
}

function freeAlias(name: string, taken: ReadonlySet<string>): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  const stem = /[a-zA-Z0-9]/.test(readable) ? readable : 'tool';
  for (let attempt = 0; ; attempt++) {
    const alias = `${stem}_${shortHash(attempt === 0 ? name : `${name}\0${attempt}`)}`;
    if (!taken.has(foldName(alias))) return alias;
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
