import type { JsonObject, Session, ToolDefinition } from '@toolpost/protocol';
import type { Host } from '../host.ts';
import { APP_CHANNEL } from '../registry/app-channel.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { createWireNames, type WireNames } from '../registry/wire-names.ts';
import { ACTION_TOOL, ACTION_TOOL_NAME } from './app-action-tool.ts';
import { LIST_OPTIONS } from './mcp-parts.ts';
import { pageToolsOf, serverPrefix } from './page-tools.ts';
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
  /** What pages of servers may call, by the servers' own names; for clients that show pages. */
  readonly pageTools: ReadonlyMap<string, RegisteredTool>;
  /** Whether a call of it may be of a page: what pages may call is listed so for clients. */
  mayBeOfPage(tool: RegisteredTool): boolean;
  /** The whole result of `tools/list` as JSON: the same bytes until the registry changes. */
  listJson(viewer: Viewer): Uint8Array;
}

const catalogs = new WeakMap<Snapshot, ToolCatalog>();

export async function catalogOf(host: Host, session: Session): Promise<ToolCatalog> {
  const snapshot = await host.listTools(session, LIST_OPTIONS);
  const known = catalogs.get(snapshot);
  if (known) return known;
  const catalog = createCatalog(snapshot, await host.listTools({ ...session, channel: APP_CHANNEL }, LIST_OPTIONS));
  catalogs.set(snapshot, catalog);
  return catalog;
}

function createCatalog(snapshot: Snapshot, seenByPages: Snapshot): ToolCatalog {
  const names = createWireNames(snapshot.definitions.map(({ name }) => name));
  const isTaken = (name: string) => name === ACTION_TOOL_NAME || snapshot.find(names.fromWire(name)) !== undefined;
  const pageTools = pageToolsOf(seenByPages, isTaken);
  const withPages = new Set(
    snapshot.tools.flatMap(({ definition, plugin }) => (definition.ui?.resourceUri === undefined ? [] : [plugin.id])),
  );
  const visibilityOf = (tool: RegisteredTool) => visibilityIn(tool, withPages.has(tool.plugin.id));
  const lists = new Map<string, Uint8Array>();
  return {
    snapshot,
    names,
    pageTools,
    mayBeOfPage: (tool) => visibilityOf(tool)?.includes('app') ?? true,
    listJson({ era, capabilities: { apps } }) {
      const key = `${era} ${apps}`;
      const known = lists.get(key);
      if (known) return known;
      const tools = snapshot.tools.map((tool) => {
        const ui = apps ? uiMetaOf(tool, visibilityOf(tool)) : undefined;
        return toMcpTool(tool, { name: names.toWire(tool.definition.name), era, ui });
      });
      const forPages = Array.from(pageTools, ([name, tool]) =>
        toMcpTool(tool, { name, era, ui: { visibility: ['app'] } }),
      );
      const all = apps ? [...tools, ...forPages, ACTION_TOOL] : tools;
      const list = Buffer.from(JSON.stringify({ tools: all, ...resultExtras(era, true) }));
      lists.set(key, list);
      return list;
    },
  };
}

/**
 * Who may call a tool. A client lets its pages call whatever says nothing else, and takes all of ours for one server's: so only what a
 * plugin with pages of its own has is for pages. Those of servers know their tools by other names, which stand beside these.
 */
function visibilityIn({ definition, plugin }: RegisteredTool, hasPages: boolean): readonly string[] | undefined {
  if (definition.name.startsWith(serverPrefix(plugin.id))) return ['model'];
  return definition.ui?.visibility ?? (hasPages ? undefined : ['model']);
}

function uiMetaOf({ definition }: RegisteredTool, visibility: readonly string[] | undefined): JsonObject {
  const resourceUri = uiResourceUri(definition);
  return { ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility: [...visibility] }) };
}

interface ListedAs {
  readonly name: string;
  readonly era: Era;
  readonly ui: JsonObject | undefined;
}

/** What MCP's Tool has a place for. The plugin that a tool is from is told in `_meta`. */
function toMcpTool({ definition, plugin }: RegisteredTool, { name, era, ui }: ListedAs): JsonObject {
  const { title, description, annotations } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: objectSchema(definition.inputSchema),
    ...outputSchemaOf(definition, era),
    ...(annotations && { annotations }),
    _meta: { 'toolpost/plugin': plugin.id, ...(ui && Object.keys(ui).length > 0 && { ui }) },
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
