import type { ToolDefinition } from '@toolpost/protocol';
import { foldName } from './fold-name.ts';
import type { NameClaim } from './precedence.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { suggestNames } from './suggest-names.ts';

/** What a session sees, immutable: a model round keeps the one it was sent, and its calls run against it. */
export interface Snapshot {
  /** The registry's version that it was built from. */
  readonly version: number;
  /** Sorted by name in code-unit order; one tool for each name. */
  readonly tools: readonly RegisteredTool[];
  /** The definitions of `tools`: frozen, and the same objects until the registry changes. */
  readonly definitions: readonly ToolDefinition[];
  /** `definitions` as JSON text, made at the first use. */
  readonly definitionsJson: string;
  /** The tool of this name, whatever its case. */
  find(name: string): RegisteredTool | undefined;
  /** Whether another plugin declares this tool's name too, also a disabled one or one of another channel. */
  shadowsAnother(tool: RegisteredTool): boolean;
  /** Up to three names near to one that was not found. */
  suggest(name: string): readonly string[];
}

/** A plugin that does not work has the name of its file for a tool: nobody means that one. */
export function workingNames(tools: Iterable<RegisteredTool>): string[] {
  return [...tools].flatMap(({ definition, plugin }) => (plugin.broken === undefined ? [definition.name] : []));
}

export interface SnapshotParts {
  version: number;
  selected: ReadonlyMap<string, RegisteredTool>;
  claims: ReadonlyMap<string, NameClaim>;
}

export function createSnapshot({ version, selected, claims }: SnapshotParts): Snapshot {
  const byName = new Map<string, RegisteredTool>();
  const shadowing = new Set<RegisteredTool>();
  for (const [folded, tool] of selected) {
    byName.set(tool.definition.name, tool);
    if (claims.get(folded)?.contested === true) shadowing.add(tool);
  }
  const names = [...byName.keys()].sort();
  const tools = Object.freeze(names.flatMap((name) => byName.get(name) ?? []));
  const definitions = Object.freeze(tools.map(({ definition }) => definition));
  let json: string | undefined;
  return Object.freeze({
    version,
    tools,
    definitions,
    get definitionsJson() {
      json ??= JSON.stringify(definitions);
      return json;
    },
    // A model writes the name as it was listed, which is mostly folded already.
    find: (name: string) => byName.get(name) ?? selected.get(foldName(name)),
    shadowsAnother: (tool: RegisteredTool) => shadowing.has(tool),
    suggest: (name: string) => suggestNames(name, workingNames(tools)),
  });
}
