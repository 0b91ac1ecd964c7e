import type { CallRecord, Session, ToolCall } from '@toolpost/protocol';
import type { CallOptions } from '../call-path/call-options.ts';
import { APP_CHANNEL } from '../registry/app-channel.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { type ActingSession, actingSession } from './acting-session.ts';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { catalogOf, type ToolCatalog } from './tool-catalog.ts';
import { BLOCKS_URI, uiResourceUri } from './ui-resources.ts';

interface Called {
  readonly exchange: Exchange;
  readonly options: CallOptions;
}

/**
 * Runs a call of a client that shows pages. Such a client takes all of Toolpost for one server and does not say which page a call is
 * of, if of any, so that a page could call what belongs to another. Therefore a server's tools for pages are there once one of its pages
 * is, and while a page of another plugin is open, what pages may call is asked about each time, whatever rules and answers allow.
 */
export async function callBesidePages(
  { host }: McpParts,
  call: ToolCall,
  { exchange: { session }, options }: Called,
): Promise<CallRecord> {
  const { snapshot, names, pageTools, mayBeOfPage } = await catalogOf(host, session);
  const acting = actingSession(session);
  const own = snapshot.find(names.fromWire(call.name));
  if (own) {
    const page = uiResourceUri(own.definition);
    if (page !== undefined) notePage({ snapshot }, session, page);
    const given = mayBeOfPage(own) ? bounded(own, options, acting) : options;
    return host.callTool({ ...call, name: own.definition.name }, session, given);
  }
  const tool = pageTools.get(call.name);
  if (!tool || !acting.hasPageOf(tool.plugin.id)) return host.callTool(call, session, options);
  // Like every page, it has no part in what was allowed before.
  const given = { ...bounded(tool, options, acting), ignoresRemembered: true };
  return host.callTool({ ...call, name: tool.definition.name }, { ...session, channel: APP_CHANNEL }, given);
}

/** The client reads a page to show it, at once or later. */
export function notePage({ snapshot }: Pick<ToolCatalog, 'snapshot'>, session: Session, uri: string): void {
  for (const { definition, plugin } of snapshot.tools)
    if (uiResourceUri(definition) === uri && uri !== BLOCKS_URI) actingSession(session).pageOpened(plugin.id);
}

function bounded({ plugin }: RegisteredTool, options: CallOptions, acting: ActingSession): CallOptions {
  const others = acting.otherPages(plugin.id);
  if (others.length === 0) return options;
  const asksBecause = `a page may have called it, and pages of ${others.join(', ')} are open beside those of ${plugin.id}`;
  return { ...options, ignoresRemembered: true, asksBecause };
}
