import {
  apiSessionDetailSchema,
  apiSessionListSchema,
  changeSessionSchema,
  compactedSchema,
  createSessionSchema,
  exportQuerySchema,
  listSessionsQuerySchema,
} from '@toolpost/protocol/schemas';
import type { LiveSession } from '../../live-sessions/live-session.ts';
import { exportSession } from '../../sessions/export-session.ts';
import { assertUsable } from '../chosen-model.ts';
import { describeOpen, describeSession } from '../describe-session.ts';
import { grantedTo } from '../granted-to.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { assertTakesWork, ownSession, type ServerParts, storedOf } from '../server-parts.ts';
import { pageOf } from '../session-pages.ts';

const PATH = '/api/sessions/{id}';
const NOT_FOUND = ['SESSION_NOT_FOUND'] as const;
const ONE = { description: 'The session.', schema: apiSessionDetailSchema };

export function sessionRoutes(parts: ServerParts): readonly Route[] {
  const describe = (live: LiveSession) => describeOpen(live, storedOf(parts, live));
  return [...allRoutes(parts, describe), ...oneRoutes(parts, describe), ...conversationRoutes(parts, describe)];
}

type Describe = (live: LiveSession) => unknown;

function allRoutes(parts: ServerParts, describe: Describe): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/sessions',
      summary: 'List your sessions',
      tag: 'sessions',
      query: listSessionsQuerySchema,
      answer: { status: 200, description: 'One page of them.', schema: apiSessionListSchema },
      handle({ query: { search, channel, limit, cursor }, principal: { tenant, user } }) {
        const list = parts.sessions.list.bind(parts.sessions);
        const page = pageOf(list, { filter: { tenant, user, channel }, search, limit, cursor });
        if (!page) throw new Problem(400, 'REQUEST_INVALID', 'cursor: give the `next` of the page before');
        return { ...page, sessions: page.sessions.map((stored) => describeSession(stored)) };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/sessions',
      summary: 'Open a session, new or by its chat',
      tag: 'sessions',
      body: createSessionSchema,
      answer: { ...ONE, status: 201 },
      errors: ['FORBIDDEN', 'MODEL_FAILED'],
      async handle({ body: { channel = 'web', chatId, title, model, roots }, principal }) {
        assertTakesWork(parts);
        await assertUsable(model, principal, parts.environment);
        const { tenant, user } = principal;
        const granted = roots && (await grantedTo(parts.host, principal, roots));
        const live = await parts.sessions.open({
          ...{ tenant, user, channel, chatId, model, roots: granted },
          keepsRoots: granted === undefined,
        });
        if (title !== undefined) live.rename(title);
        return describe(live);
      },
    }),
  ];
}

function oneRoutes(parts: ServerParts, describe: Describe): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: PATH,
      summary: 'Get a session',
      tag: 'sessions',
      answer: { ...ONE, status: 200 },
      errors: NOT_FOUND,
      handle: async ({ params: { id = '' }, principal }) => describe(await ownSession(parts, id, principal)),
    }),
    defineRoute({
      method: 'patch',
      path: PATH,
      summary: 'Give a session another title, or another model',
      tag: 'sessions',
      body: changeSessionSchema,
      answer: { ...ONE, status: 200 },
      errors: [...NOT_FOUND, 'FORBIDDEN', 'MODEL_FAILED'],
      async handle({ params: { id = '' }, body: { title, model }, principal }) {
        const live = await ownSession(parts, id, principal);
        await assertUsable(model, principal, parts.environment);
        if (title !== undefined) live.rename(title);
        if (model !== undefined) await live.setModel(model);
        return describe(live);
      },
    }),
    defineRoute({
      method: 'delete',
      path: PATH,
      summary: 'Delete a session with all that is kept of it; what runs in it is cancelled',
      tag: 'sessions',
      answer: { status: 204, description: 'It is gone.' },
      errors: NOT_FOUND,
      async handle({ params: { id = '' }, principal: { tenant, user } }) {
        if (!(await parts.sessions.delete(id, { tenant, user })))
          throw new Problem(404, 'SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id)} of yours`);
      },
    }),
    defineRoute({
      method: 'get',
      path: `${PATH}/export`,
      summary: 'Get all that is kept of a session as one text',
      tag: 'sessions',
      query: exportQuerySchema,
      answer: {
        status: 200,
        description: 'A Markdown document, or JSON with every event.',
        contentType: ['text/markdown', 'application/json'],
      },
      errors: NOT_FOUND,
      async handle({ params: { id = '' }, query: { format }, principal }) {
        const stored = storedOf(parts, await ownSession(parts, id, principal));
        return exported(exportSession(parts.store, stored, format), format);
      },
    }),
  ];
}

function conversationRoutes(parts: ServerParts, describe: Describe): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${PATH}/fork`,
      summary: 'Make a new session that goes on from here',
      tag: 'sessions',
      answer: { ...ONE, status: 201 },
      errors: NOT_FOUND,
      async handle({ params: { id = '' }, principal }) {
        assertTakesWork(parts);
        return describe(await (await ownSession(parts, id, principal)).fork());
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/clear`,
      summary: 'Forget the conversation for the model; the log stays',
      tag: 'sessions',
      answer: { status: 204, description: 'It is forgotten.' },
      errors: NOT_FOUND,
      async handle({ params: { id = '' }, principal }) {
        assertTakesWork(parts);
        await (await ownSession(parts, id, principal)).clear();
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/compact`,
      summary: 'Put a summary in place of the conversation',
      tag: 'sessions',
      answer: {
        status: 200,
        description: 'Whether it was done; if not, a `warning` event says why.',
        schema: compactedSchema,
      },
      errors: [...NOT_FOUND, 'MODEL_FAILED'],
      async handle({ params: { id = '' }, principal }) {
        assertTakesWork(parts);
        const live = await ownSession(parts, id, principal);
        return { compacted: await live.compact() };
      },
    }),
  ];
}

const EXPORT_CHUNK_CHARS = 64 * 1024;

/** Read as far as the client takes it: a long log is never whole in memory. */
function exported(pieces: Generator<string>, format: 'markdown' | 'json'): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let text = '';
      while (text.length < EXPORT_CHUNK_CHARS) {
        const { value, done } = pieces.next();
        if (done) break;
        text += value;
      }
      if (text === '') controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
  const [type, extension] = format === 'json' ? ['application/json', 'json'] : ['text/markdown; charset=utf-8', 'md'];
  return new Response(body, {
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="session.${extension}"`,
    },
  });
}
