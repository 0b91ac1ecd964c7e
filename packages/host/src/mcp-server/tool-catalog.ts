import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { createWireNames, type WireNames } from '../registry/wire-names.ts';
import { ACTION_TOOL } from './app-action-tool.ts';
import { type ClientCapabilities, type Era, resultExtras } from './protocol-era.ts';
import { uiResourceUri } from './ui-resources.ts';

/** What a list depends on, beside the session: the client's era, and whether it shows pages. */
export interface Viewer {
  readonly era: Era;
  readonly capabilities: Pick<ClientCapabilities, 'apps'>;
}

/** A snapshot as MCP clients see it. Made once for each snapshot, and its lists once for each kind of client. */
export interface ToolCatalog {
  readonly snapshot: Snapshot;
  readonly names: WireNames;
  /** The whole result of `tools/list` as JSON: the same bytes until the registry changes. */
  listJson(viewer: Viewer): Uint8Array;
}

const catalogs = new WeakMap<Snapshot, ToolCatalog>();

export function catalogOf(snapshot: Snapshot): ToolCatalog {
  const known = catalogs.get(snapshot);
  if (known) return known;
  const catalog = createCatalog(snapshot);
  catalogs.set(snapshot, catalog);
  return catalog;
}

function createCatalog(snapshot: Snapshot): ToolCatalog {
  const names = createWireNames(snapshot.definitions.map(({ name }) => name));
  const lists = new Map<string, Uint8Array>();
  return {
    snapshot,
    names,
    listJson({ era, capabilities: { apps } }) {
      const key = `${era} ${apps}`;
      const known = lists.get(key);
      if (known) return known;
      const tools = snapshot.tools.map((tool) => toMcpTool(tool, names, { era, apps }));
      const all = apps ? [...tools, ACTION_TOOL] : tools;
      const list = Buffer.from(JSON.stringify({ tools: all, ...resultExtras(era, true) }));
      lists.set(key, list);
      return list;
    },
  };
}

/** What MCP's Tool has a place for. The plugin that a tool is from is told in `_meta`. */
function toMcpTool(
  { definition, plugin }: RegisteredTool,
  names: WireNames,
  { era, apps }: { readonly era: Era; readonly apps: boolean },
): JsonObject {
  const { name, title, description, annotations, ui } = definition;
  const resourceUri = apps && ui ? uiResourceUri(definition) : undefined;
  return {
    name: names.toWire(name),
    ...(title !== undefined && { title }),
    description,
    inputSchema: objectSchema(definition.inputSchema),
    ...outputSchemaOf(definition, era),
    ...(annotations && { annotations }),
    _meta: { 'toolpost/plugin': plugin.id, ...(resourceUri !== undefined && { ui: { resourceUri } }) },
  };
}

/** A client refuses the whole list for one schema that does not say that it is an object's. */
function objectSchema(schema: JsonObject): JsonObject {
  return schema.type === 'object' ? schema : { ...schema, type: 'object' };
}

/** The earlier era has a place for objects only. */
function outputSchemaOf({ outputSchema }: ToolDefinition, era: Era): JsonObject {
  if (!outputSchema || (era === 'session' && outputSchema.type !== 'object')) return {};
  return { outputSchema };
}
