import { randomUUID } from 'node:crypto';
import {
  type CallRecord,
  type EventBody,
  HostError,
  isJsonObject,
  type JsonObject,
  quoteValue,
  type Session,
  type ToolpostEvent,
} from '@toolpost/protocol';
import type { Approver } from '../call-path/approver.ts';
import type { Ask } from '../call-path/ask-form.ts';
import type { Host } from '../host.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import { APP_CHANNEL } from '../registry/app-channel.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { EventPage } from '../sessions/session-store.ts';

/** A page that asks without end is held back. */
const [MAX_REQUESTS, REQUESTS_MS] = [60, 10_000];
const MAX_OPEN = 8;
const MAX_ARGUMENTS = 1_000_000;

/** What the page of a call asks its server for. */
export interface AppRequest {
  /** The call whose page it is. */
  readonly toolCallId: string;
  readonly method: 'tools/call' | 'resources/read';
  readonly params: JsonObject;
}

export interface AppRequestParts {
  readonly host: Host;
  readonly session: () => Session;
  readonly events: (page: EventPage) => readonly ToolpostEvent[];
  /** Stored when it returns. */
  readonly say: (body: EventBody) => void;
  readonly approve: Approver;
  readonly ask: Ask;
}

/** What the pages by MCP Apps of one session ask for. Each reaches the server of its own call and no other. */
export class AppRequests {
  readonly #parts: AppRequestParts;
  readonly #limiter: RateLimiter = createRateLimiter(MAX_REQUESTS, REQUESTS_MS);
  #open = 0;

  constructor(parts: AppRequestParts) {
    this.#parts = parts;
  }

  /** The answer as MCP has it. @throws HostError NOT_FOUND, REQUEST_INVALID or SERVER_BUSY. */
  async handle(request: AppRequest, abortSignal: AbortSignal): Promise<JsonObject> {
    if (this.#limiter.admit(performance.now()) > 0 || this.#open >= MAX_OPEN)
      throw new HostError('SERVER_BUSY', 'too many requests come from the pages of this session: wait a few seconds');
    this.#open += 1;
    try {
      const { plugin } = this.#callOf(request.toolCallId);
      if (request.method === 'resources/read') return await this.#read(plugin, request.params, abortSignal);
      return await this.#callTool(plugin, request.params, abortSignal);
    } finally {
      this.#open -= 1;
    }
  }

  #callOf(toolCallId: string): CallRecord {
    let found: CallRecord | undefined;
    const about = { types: ['tool-call-end'], toolCallId };
    for (const event of this.#parts.events({ about })) if (event.type === 'tool-call-end') found = event.result;
    if (found && isJsonObject(found.metadata?.app)) return found;
    throw new HostError('NOT_FOUND', `no call ${quoteValue(toolCallId)} of this session has a page by MCP Apps`);
  }

  async #callTool(plugin: string, params: JsonObject, abortSignal: AbortSignal): Promise<JsonObject> {
    const { host, say, approve, ask } = this.#parts;
    // Nobody talks in this channel: what is for pages alone is seen in it.
    const session = { ...this.#parts.session(), channel: APP_CHANNEL };
    const tool = findTool(await host.listTools(session), plugin, params.name);
    const text = JSON.stringify(params.arguments ?? {});
    if (text.length > MAX_ARGUMENTS)
      throw new HostError('REQUEST_INVALID', `arguments: at most ${MAX_ARGUMENTS} characters are taken from a page`);
    const call = { id: `app-${randomUUID()}`, name: tool.definition.name, arguments: text };
    const onEvent = (body: EventBody) => say(withoutPage(body));
    const options = { abortSignal, onEvent, approve, ask, ignoresRemembered: true };
    return toMcpResult(await host.callTool(call, session, options));
  }

  async #read(plugin: string, { uri }: JsonObject, abortSignal: AbortSignal): Promise<JsonObject> {
    if (typeof uri !== 'string') throw new HostError('REQUEST_INVALID', 'uri: it has to be text');
    const session = this.#parts.session();
    const contents = await this.#parts.host.answerContent(plugin, { kind: 'resource', uri }, { session, abortSignal });
    return { contents };
  }
}

/** @throws HostError for what is no tool of that server, or none that a page may call. */
function findTool({ tools }: Snapshot, pluginId: string, name: unknown): RegisteredTool {
  // The server calls it by its own name, which stands at the end of the one that it has here.
  const found = tools.find(
    ({ plugin, definition }) => plugin.id === pluginId && definition.name === `mcp__${pluginId}__${String(name)}`,
  );
  if (!found) throw new HostError('NOT_FOUND', `the server ${pluginId} has no tool ${quoteValue(name)}`);
  const { visibility } = found.definition.ui ?? {};
  if (visibility && !visibility.includes('app'))
    throw new HostError('NOT_FOUND', `the tool ${quoteValue(name)} is not for pages, by what its server says`);
  return found;
}

/** The answer is for the page that asked: it opens no other one. */
function withoutPage(body: EventBody): EventBody {
  if (body.type !== 'tool-call-end' || body.result.metadata?.app === undefined) return body;
  const { app: _, ...metadata } = body.result.metadata;
  return { ...body, result: { ...body.result, metadata } };
}

function toMcpResult({ content, structuredContent, isError, metadata = {} }: CallRecord): JsonObject {
  const { app: _, ...meta } = metadata;
  return {
    content,
    ...(structuredContent && { structuredContent }),
    ...(isError && { isError }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
