import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { appPageSchema, appRequestSchema, appResponseSchema } from '@toolpost/protocol/schemas';
import type { LiveSession } from '../../live-sessions/live-session.ts';
import { readKeptPage } from '../../sessions/kept-pages.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { assertTakesWork, ownSession, type ServerParts } from '../server-parts.ts';
import { findCall } from '../stored-calls.ts';

const PATH = '/api/sessions/{id}/calls/{callId}/app';
const ERRORS = ['SESSION_NOT_FOUND', 'NOT_FOUND', 'CONNECTION_CLOSED'] as const;

/** The page that a server shows a call with, by MCP Apps, and what it asks that server for. */
export function appRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: PATH,
      summary: "Get the page of a call's server, as it was when the call ended",
      tag: 'interfaces',
      answer: { status: 200, description: 'The page, and the call that it is to show.', schema: appPageSchema },
      errors: ERRORS,
      async handle({ params: { id = '', callId = '' }, principal }) {
        const live = await ownSession(parts, id, principal);
        const record = await findCall(live, callId);
        const app = isJsonObject(record?.metadata?.app) ? record.metadata.app : undefined;
        const html = await readKeptPage(parts.host.homeDir, app?.hash);
        if (!record || html === undefined)
          throw new Problem(404, 'NOT_FOUND', `the page of the call ${JSON.stringify(callId)} is not kept any more`);
        const tool = (await parts.host.listTools(live.session)).find(record.name)?.definition;
        const { description = '', inputSchema = { type: 'object' } } = tool ?? {};
        const name = record.name.replace(`mcp__${record.plugin}__`, '');
        return {
          html,
          domains: Array.isArray(app?.domains) ? app.domains.filter((one) => typeof one === 'string') : [],
          tool: { name, description, inputSchema },
          arguments: argumentsOf(live, callId),
        };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/requests`,
      summary: "Ask the call's server for what its page wants: a tool of its own, or a resource",
      tag: 'interfaces',
      body: appRequestSchema,
      answer: { status: 200, description: 'The answer, in the words of MCP.', schema: appResponseSchema },
      errors: [...ERRORS, 'REQUEST_INVALID', 'SERVER_BUSY', 'SESSION_STORE_FAILED'],
      async handle({ params: { id = '', callId = '' }, body: { method, params }, principal, context }) {
        assertTakesWork(parts);
        const live = await ownSession(parts, id, principal);
        const { signal: abortSignal } = context.req.raw;
        return { result: await live.handleAppRequest({ toolCallId: callId, method, params }, { abortSignal }) };
      },
    }),
  ];
}

function argumentsOf(live: LiveSession, toolCallId: string): JsonObject {
  let text = '{}';
  for (const event of live.events({ about: { types: ['tool-call-start'], toolCallId } }))
    if (event.type === 'tool-call-start') text = event.arguments;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
