import { type JsonObject, quoteValue, type Session } from '@toolpost/protocol';
import type { ListedContent } from '../plugin-life/plugin-content.ts';
import { createAsk } from './ask-user.ts';
import type { Exchange } from './exchange.ts';
import { LIST_OPTIONS, type McpParts } from './mcp-parts.ts';
import { OUTPUT_TEMPLATE, readOutput } from './output-resources.ts';
import { notePage } from './page-bounds.ts';
import { type Era, encodeResult } from './protocol-era.ts';
import { toResourceContents } from './resource-contents.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import { catalogOf } from './tool-catalog.ts';
import { listUiResources, readUiResource } from './ui-resources.ts';
import { uriMatcher } from './uri-template.ts';

/** The resources that a session has: its plugins', of two with one URI the first, and the pages of its tools. */
export async function resourcesOf(
  { host }: McpParts,
  { session, capabilities }: Pick<Exchange, 'session' | 'capabilities'>,
): Promise<JsonObject[]> {
  const listed = await host.listContent(session, LIST_OPTIONS);
  const byUri = new Map<string, JsonObject>();
  for (const { content } of listed) {
    for (const one of content.resources) if (!byUri.has(one.uri)) byUri.set(one.uri, { ...one });
  }
  const own = capabilities.apps ? listUiResources(await host.listTools(session, LIST_OPTIONS)) : [];
  return [...byUri.values(), ...own];
}

/** Whole outputs are not listed: the results link to them. */
export async function templatesOf({ host }: McpParts, session: Session): Promise<JsonObject[]> {
  const listed = await host.listContent(session, LIST_OPTIONS);
  return [...listed.flatMap(({ content }) => content.resourceTemplates.map((one) => ({ ...one }))), OUTPUT_TEMPLATE];
}

/** Answers `resources/read`. @throws RpcError that names the URI when there is nothing under it. */
export async function readResource(parts: McpParts, { uri }: JsonObject, exchange: Exchange): Promise<string> {
  const { host } = parts;
  const { era, session, capabilities } = exchange;
  if (typeof uri !== 'string') throw invalidParams(`uri has to be text, got ${quoteValue(uri)}`);
  const page = capabilities.apps ? await readPage(parts, uri, session) : undefined;
  const own = page ?? (await readOutput(uri, host.homeDir, session));
  const contents = own ? [own] : await readFromPlugin(parts, uri, exchange);
  if (!contents) throw noResource(uri, era);
  return encodeResult(era, { contents }, true);
}

/** One of ours; a plugin's own is read as its resource, and noted all the same. */
async function readPage({ host }: McpParts, uri: string, session: Session): Promise<JsonObject | undefined> {
  const catalog = await catalogOf(host, session);
  notePage(catalog, session, uri);
  return readUiResource(catalog, uri);
}

async function readFromPlugin({ host }: McpParts, uri: string, exchange: Exchange): Promise<JsonObject[] | undefined> {
  const { session, abortSignal } = exchange;
  const found = findResource(await host.listContent(session, LIST_OPTIONS), uri);
  if (!found) return undefined;
  const { pluginId, mimeType, ...request } = found;
  const value = await host
    .answerContent(pluginId, { kind: 'resource', uri, ...request }, { session, abortSignal, ask: createAsk(exchange) })
    .catch((error: Error) => {
      throw new RpcError(RPC_CODES.internal, `${uri} could not be read: ${error.message}`, { uri });
    });
  return toResourceContents(value, uri, mimeType);
}

interface FoundResource {
  readonly pluginId: string;
  readonly mimeType: string | undefined;
  readonly uriTemplate?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A resource of its own goes before any template. */
function findResource(listed: readonly ListedContent[], uri: string): FoundResource | undefined {
  for (const { pluginId, content } of listed) {
    const resource = content.resources.find((one) => one.uri === uri);
    if (resource) return { pluginId, mimeType: resource.mimeType };
  }
  for (const { pluginId, content } of listed) {
    for (const { uriTemplate, mimeType } of content.resourceTemplates) {
      const variables = uriMatcher(uriTemplate)(uri);
      if (variables) return { pluginId, mimeType, uriTemplate, variables };
    }
  }
  return undefined;
}

function noResource(uri: string, era: Era): RpcError {
  const code = era === 'session' ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
  return new RpcError(code, `there is no resource ${quoteValue(uri)} in this session`, { uri });
}
