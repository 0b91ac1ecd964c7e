import type { Session } from '@toolpost/protocol';
import { channelQuerySchema, toolListSchema, whySchema } from '@toolpost/protocol/schemas';
import { toToolListing } from '../../registry/tool-listing.ts';
import { toWhyListing } from '../../why.ts';
import { explainOwn } from '../own-why.ts';
import type { Principal } from '../principal.ts';
import { defineRoute, type Route } from '../route.ts';
import { ownSession, type ServerParts } from '../server-parts.ts';

const TOOLS = { status: 200, description: 'Sorted by name.', schema: toolListSchema } as const;
const WHY = {
  status: 200,
  description: 'Who offers the name, who gets it, and what decides.',
  schema: whySchema,
} as const;

export function toolRoutes(parts: ServerParts): readonly Route[] {
  const { host } = parts;
  const sessionOf = ({ tenant, user }: Principal, channel: string): Session =>
    host.openSession({ tenant, user, channel });
  const list = async (session: Session) => ({ tools: (await host.listTools(session)).tools.map(toToolListing) });
  const explain = async (asked: Parameters<typeof explainOwn>[1]) => toWhyListing(await explainOwn(parts, asked));
  return [
    defineRoute({
      method: 'get',
      path: '/api/tools',
      summary: 'List the tools that a new session of yours sees',
      tag: 'tools',
      query: channelQuerySchema,
      answer: TOOLS,
      handle: ({ principal, query }) => list(sessionOf(principal, query.channel)),
    }),
    defineRoute({
      method: 'get',
      path: '/api/sessions/{id}/tools',
      summary: 'List the tools that a session sees',
      tag: 'tools',
      answer: TOOLS,
      errors: ['SESSION_NOT_FOUND'],
      handle: async ({ params: { id = '' }, principal }) => list((await ownSession(parts, id, principal)).session),
    }),
    defineRoute({
      method: 'get',
      path: '/api/why/{name}',
      summary: 'Tell why a new session of yours sees a tool or not, and may call it or not',
      tag: 'tools',
      query: channelQuerySchema,
      answer: WHY,
      handle: ({ params: { name = '' }, principal, query }) =>
        explain({ name, session: sessionOf(principal, query.channel), principal }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/sessions/{id}/why/{name}',
      summary: 'Tell why a session sees a tool or not, and may call it or not',
      tag: 'tools',
      answer: WHY,
      errors: ['SESSION_NOT_FOUND'],
      handle: async ({ params: { id = '', name = '' }, principal }) =>
        explain({ name, session: (await ownSession(parts, id, principal)).session, principal }),
    }),
  ];
}
