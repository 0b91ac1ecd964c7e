import { ERROR_CODES, type ToolDefinition } from '@toolpost/protocol';
import { foldName } from './fold-name.ts';
import { freezeDefinition, sameDefinition } from './freeze-definition.ts';
import type { PluginEntry, RegisteredTool, Scope } from './registered-tool.ts';
import type { WithheldTool } from './withheld-tool.ts';

/** A tool that a plugin declared and the registry did not take, with the reason and the remedy in words. */
export interface RefusedTool {
  readonly plugin: string;
  readonly name: string;
  readonly reason: string;
  /** How its definition differs from the accepted one, where that is the reason. */
  readonly changed?: WithheldTool['changed'];
}

/** One plugin as the registry keeps it: everything frozen, its tools by folded name. */
export interface Registration {
  readonly entry: PluginEntry;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly refused: readonly RefusedTool[];
}

const MAX_NAME_LENGTH = 256;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const LATIN = /\p{Script=Latin}/u;
const LOOKS_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const UNPRINTABLE = /\p{Cc}|\p{Cf}|\p{Cs}|[\u2028\u2029]/u;

/** Takes what a plugin declares, and keeps the objects of `earlier` where nothing but the order of members changed. */
export function register(entry: PluginEntry, earlier?: Registration): Registration {
  const definitions = new Map<string, ToolDefinition>();
  const refused: RefusedTool[] = (entry.withheld ?? []).map((tool) => ({ plugin: entry.id, ...tool }));
  for (const declared of declaredTools(entry, earlier)) {
    const reason = unfitName(declared.name) ?? duplicate(declared.name, entry, definitions);
    if (reason !== undefined) {
      refused.push({ plugin: entry.id, name: String(declared.name), reason });
      continue;
    }
    try {
      definitions.set(foldName(declared.name), settled(declared, earlier));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refused.push({ plugin: entry.id, name: declared.name, reason: `${error.message}: make its schema flatter` });
    }
  }
  const plugin: PluginEntry = Object.freeze({ ...entry, tools: Object.freeze([...definitions.values()]) });
  const tools = new Map<string, RegisteredTool>();
  for (const [folded, definition] of definitions) {
    tools.set(folded, Object.freeze({ definition, plugin, scope: scopeOf(definition, plugin) }));
  }
  return { entry: plugin, tools, refused };
}

/** A tool for some channels only comes before those that are for all. */
function scopeOf({ channels }: ToolDefinition, { scope }: PluginEntry): Scope {
  return channels !== undefined && channels.length > 0 ? 'channel' : scope;
}

/** A plugin that broke keeps every name it had, whatever its failed reload declared: nothing falls back. */
function declaredTools(entry: PluginEntry, earlier: Registration | undefined): readonly ToolDefinition[] {
  if (entry.broken === undefined || !earlier) return entry.tools;
  const declared = new Set(entry.tools.map(({ name }) => foldName(String(name))));
  return [...entry.tools, ...earlier.entry.tools.filter(({ name }) => !declared.has(foldName(name)))];
}

function unfitName(name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'a tool needs a name: a text that is not empty';
  if (name.length > MAX_NAME_LENGTH) return `its name is longer than ${MAX_NAME_LENGTH} characters: shorten it`;
  if (PRINTABLE_ASCII.test(name)) return undefined;
  if (UNPRINTABLE.test(name)) return 'its name has a control or invisible character: use letters, digits and _';
  if (LATIN.test(name) && LOOKS_LATIN.test(name)) return 'its name mixes alphabets that look alike: use one of them';
  return undefined;
}

function duplicate(name: string, entry: PluginEntry, taken: ReadonlyMap<string, ToolDefinition>): string | undefined {
  const first = taken.get(foldName(name));
  if (!first) return undefined;
  return `TOOL_NAME_TAKEN: plugin ${entry.id} declares "${first.name}" before it, and names that differ in case are one name. ${ERROR_CODES.TOOL_NAME_TAKEN.remedy}`;
}

/** The same object when it means the same: a list whose members come in random order keeps its bytes, and the model's cache. */
function settled(declared: ToolDefinition, earlier: Registration | undefined): ToolDefinition {
  const before = earlier?.tools.get(foldName(declared.name))?.definition;
  return before && sameDefinition(before, declared) ? before : freezeDefinition(declared);
}
