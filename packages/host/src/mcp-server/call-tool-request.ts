import { type CallRecord, type JsonObject, quoteValue, type ToolCall } from '@toolpost/protocol';
import type { ClientRequest } from '@toolpost/sdk';
import type { CallOptions } from '../call-path/call-options.ts';
import { actingSession } from './acting-session.ts';
import { handleAppAction } from './app-action.ts';
import { ACTION_TOOL_NAME } from './app-action-tool.ts';
import { createApprover, createAsk } from './ask-user.ts';
import type { Exchange } from './exchange.ts';
import { MissingCapability } from './input-questions.ts';
import { createLogNotes } from './log-notes.ts';
import { LIST_OPTIONS, type McpParts } from './mcp-parts.ts';
import { outputLinks } from './output-resources.ts';
import { callBesidePages } from './page-bounds.ts';
import { serverPrefix } from './page-tools.ts';
import { createProgressNotes } from './progress-notes.ts';
import { encodeResult, metaOf } from './protocol-era.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import { catalogOf } from './tool-catalog.ts';
import { BLOCKS_URI } from './ui-resources.ts';

/**
 * Answers `tools/call`. What a tool or a plugin did wrong is a result with `isError`, for the model to read; a name that
 * the session does not see is an error of the request.
 */
export async function callToolRequest(parts: McpParts, params: JsonObject, exchange: Exchange): Promise<string> {
  const { name } = params;
  if (typeof name !== 'string') throw invalidParams(`name has to be text, got ${quoteValue(name)}`);
  if (name === ACTION_TOOL_NAME && exchange.capabilities.apps)
    return handleAppAction(parts, params.arguments, exchange);
  const running = startCall(parts, { name, arguments: argumentsText(params.arguments) }, { params, exchange });
  const record = await running.record;
  running.end();
  if (record.outcome === 'not-found') throw invalidParams(record.text);
  if (record.isError && running.missing() && exchange.era === 'request')
    throw missingCapability(running.missing() ?? '');
  if (exchange.capabilities.apps) actingSession(exchange.session).told(record);
  const lacksPart =
    record.metadata?.structuredContentBytes !== undefined && (await promisesPart(parts, record, exchange));
  return encodeResult(exchange.era, toResult(parts, lacksPart ? asCut(record) : record, exchange));
}

/** A client refuses a result without the structured content that the tool's schema promises. */
async function promisesPart({ host }: McpParts, { name }: CallRecord, { session }: Exchange): Promise<boolean> {
  const tool = (await host.listTools(session, LIST_OPTIONS)).find(name);
  return tool?.definition.outputSchema !== undefined;
}

function asCut(record: CallRecord): CallRecord {
  const bytes = record.metadata?.structuredContentBytes;
  const text = `The structured content of this result has ${bytes} bytes, too many to be sent: it is in the linked resource.`;
  return { ...record, isError: true, content: [...record.content, { type: 'text', text }] };
}

interface Asked {
  readonly params: JsonObject;
  readonly exchange: Exchange;
}

interface RunningCall {
  readonly record: Promise<CallRecord>;
  end(): void;
  /** The capability that the tool needed and the client did not declare. */
  missing(): string | undefined;
}

function startCall(parts: McpParts, asked: Omit<ToolCall, 'id'>, { params, exchange }: Asked): RunningCall {
  const { timeoutMs } = parts;
  const token = metaOf(params)?.progressToken;
  const notes = isToken(token) ? createProgressNotes(exchange, token) : undefined;
  let missing: string | undefined;
  const options: CallOptions = {
    abortSignal: exchange.abortSignal,
    onEvent: notes?.onEvent,
    timeoutMs,
    approve: createApprover(exchange),
    ask: createAsk(exchange),
    onLog: createLogNotes(exchange, asked.name),
    async requestClient({ method, params: given = {}, name }: ClientRequest) {
      try {
        return await exchange.ask({ method, params: given, name, mayBeAnsweredAhead: true });
      } catch (error) {
        if (error instanceof MissingCapability) missing = error.capability;
        throw error;
      }
    },
  };
  return {
    record: callByWireName(parts, { ...asked, id: parts.createCallId() }, { exchange, options }),
    end: () => notes?.end(),
    missing: () => missing,
  };
}

interface Called {
  readonly exchange: Exchange;
  readonly options: CallOptions;
}

/** Most names are the tools' own, and starting everything to know the others is left for those that are not: aliases. */
async function callByWireName(parts: McpParts, call: ToolCall, called: Called): Promise<CallRecord> {
  const { host } = parts;
  const { exchange, options } = called;
  const { session } = exchange;
  if (exchange.capabilities.apps) return callBesidePages(parts, call, called);
  const record = await host.callTool(call, session, options);
  if (record.outcome !== 'not-found') return record;
  const name = (await catalogOf(host, session)).names.fromWire(call.name);
  return name === call.name ? record : host.callTool({ ...call, name }, session, options);
}

function argumentsText(given: unknown): string {
  if (given === undefined) return '';
  try {
    return JSON.stringify(given);
  } catch {
    throw invalidParams('arguments are nested too deeply');
  }
}

function isToken(token: unknown): token is string | number {
  return typeof token === 'string' || typeof token === 'number';
}

/** `metadata` is for clients: MCP's place for what no model reads is `_meta`. */
function toResult({ host }: McpParts, record: CallRecord, { session, capabilities }: Exchange): JsonObject {
  const { content, structuredContent, isError, metadata, outcome } = record;
  const links = outputLinks(record, host.homeDir, session);
  const meta = {
    ...(isError && { 'toolpost/outcome': outcome }),
    ...(capabilities.apps && serverMetaOf(record)),
    ...(metadata && { 'toolpost/metadata': metadata }),
    ...(capabilities.apps && { 'toolpost/callId': record.id }),
    ...(capabilities.apps && metadata?.blocks !== undefined && { ui: { resourceUri: BLOCKS_URI } }),
  };
  return {
    content: links.length > 0 ? [...content, ...links] : content,
    ...(structuredContent && { structuredContent }),
    ...(isError && { isError }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/** What a server says beside its result: its page looks where it has put it. */
function serverMetaOf({ name, plugin, metadata = {} }: CallRecord): JsonObject {
  if (!name.startsWith(serverPrefix(plugin))) return {};
  const { app: _app, blocks: _blocks, ...own } = metadata;
  return Object.fromEntries(Object.entries(own).filter(([key]) => !key.startsWith('toolpost/')));
}

function missingCapability(capability: string): RpcError {
  return new RpcError(
    RPC_CODES.missingClientCapability,
    `the tool needs the client's capability "${capability}", which this request does not declare`,
    { requiredCapabilities: { [capability]: {} } },
  );
}
