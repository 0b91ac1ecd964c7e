import { isJsonObject, type ToolDefinition } from '@toolpost/protocol';

/** Deeper than any schema a person writes, and far from the depth at which V8's own JSON code overflows. */
const MAX_DEPTH = 256;

/** The members of a definition in the order in which they are listed; anything else that a plugin added is dropped. */
const MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'primaryArg',
  'ui',
  'channels',
  'timeoutMs',
  'concurrency',
  'hasPreview',
] as const satisfies readonly (keyof ToolDefinition)[];

/**
 * A deep, frozen copy: what a plugin does to its own object afterwards changes nothing that was listed, decided or
 * approved. Only JSON is kept; declared order stays. Half a character becomes U+FFFD: sent to a provider as it is, it would
 * fail every request.
 * @throws RangeError when it is nested deeper than 256 levels or refers to itself.
 */
export function freezeDefinition(definition: ToolDefinition): ToolDefinition {
  const copy: Record<string, unknown> = {};
  for (const member of MEMBERS) {
    const value = frozenJson(definition[member], 0);
    if (value !== undefined) copy[member] = value;
  }
  return Object.freeze(copy) as unknown as ToolDefinition;
}

function frozenJson(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return undefined;
  if (depth > MAX_DEPTH) throw new RangeError(`its definition is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenJson(item, depth + 1) ?? null));
  return isJsonObject(value) ? frozenObject(value, depth) : undefined;
}

function frozenObject(value: Record<string, unknown>, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  for (const given of Object.keys(value)) {
    const member = frozenJson(value[given], depth + 1);
    if (member === undefined) continue;
    const key = given.toWellFormed();
    // Assigning this key would set the prototype instead of a member.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return Object.freeze(copy);
}

/**
 * Whether two definitions mean the same: members in any order, and the names in `required`, which is a set. `settled`
 * is a frozen one, so the walk ends where it ends.
 */
export function sameDefinition(settled: ToolDefinition, declared: ToolDefinition): boolean {
  return MEMBERS.every((member) => sameJson(settled[member], declared[member]));
}

function sameJson(settled: unknown, declared: unknown): boolean {
  if (settled === declared) return true;
  if (typeof declared === 'string') return settled === declared.toWellFormed();
  if (Array.isArray(settled)) return Array.isArray(declared) && sameItems(settled, declared);
  if (!isJsonObject(settled) || !isJsonObject(declared)) return false;
  const keys = Object.keys(declared);
  if (keys.length !== Object.keys(settled).length) return false;
  return keys.every((given) => {
    const key = given.toWellFormed();
    if (!Object.hasOwn(settled, key)) return false;
    const [before, now] = [settled[key], declared[given]];
    return sameJson(before, now) || (key === 'required' && sameNames(before, now));
  });
}

function sameItems(settled: readonly unknown[], declared: readonly unknown[]): boolean {
  return settled.length === declared.length && settled.every((item, index) => sameJson(item, declared[index]));
}

function sameNames(settled: unknown, declared: unknown): boolean {
  if (!Array.isArray(settled) || !Array.isArray(declared)) return false;
  const names = new Set(declared);
  return (
    settled.length === declared.length && names.size === declared.length && settled.every((name) => names.has(name))
  );
}
