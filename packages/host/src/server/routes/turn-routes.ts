import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  acceptedTurnSchema,
  cancelledSchema,
  followQuerySchema,
  historySchema,
  postMessageSchema,
} from '@toolpost/protocol/schemas';
import { acceptTurn } from '../accept-turn.ts';
import { assertUsable } from '../chosen-model.ts';
import { writeEventStream } from '../event-stream.ts';
import { startAt } from '../log-position.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { assertTakesWork, ownSession, type ServerParts } from '../server-parts.ts';

const PATH = '/api/sessions/{id}';
const NOT_FOUND = ['SESSION_NOT_FOUND'] as const;

export function turnRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${PATH}/messages`,
      summary: 'Ask for a turn; what happens in it comes as events',
      tag: 'turns',
      body: postMessageSchema,
      answer: { status: 202, description: 'It runs, or waits for its turn.', schema: acceptedTurnSchema },
      errors: [...NOT_FOUND, 'FORBIDDEN', 'MODEL_FAILED', 'SERVER_BUSY', 'CONNECTION_CLOSED', 'SESSION_STORE_FAILED'],
      async handle({ params: { id = '' }, body: { text, model, timeoutMs, turnId }, principal }) {
        assertTakesWork(parts);
        const live = await ownSession(parts, id, principal);
        await (model === undefined ? live.checkModel() : assertUsable(model, principal, parts.environment));
        return acceptTurn(parts, live, { text, model, timeoutMs, turnId });
      },
    }),
    defineRoute({
      method: 'get',
      path: `${PATH}/messages`,
      summary: 'Get the conversation as the model gets it',
      tag: 'turns',
      answer: { status: 200, description: 'All of it.', schema: historySchema },
      errors: NOT_FOUND,
      async handle({ params: { id = '' }, principal }) {
        return { messages: (await ownSession(parts, id, principal)).history() };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/cancel`,
      summary: 'Cancel the turn that runs and those that wait',
      tag: 'turns',
      answer: { status: 200, description: 'How many, in whichever process.', schema: cancelledSchema },
      errors: [...NOT_FOUND, 'RUNS_ELSEWHERE'],
      async handle({ params: { id = '' }, principal }) {
        const live = await ownSession(parts, id, principal);
        return { cancelled: live.cancel() + (await live.elsewhere.cancel()) };
      },
    }),
    followRoute(parts),
  ];
}

function followRoute(parts: ServerParts): Route {
  return defineRoute({
    method: 'get',
    path: `${PATH}/events`,
    summary: 'Follow the events of a session: those that are stored, then those that come',
    tag: 'turns',
    query: followQuerySchema,
    answer: {
      status: 200,
      description:
        'Server-sent events: `id` is `epoch:seq`, `data` one event. `Last-Event-ID` (or `after`) goes on behind it. `reset` says that what you have is of another log, `end` that no more will come; a stream without `end` was cut.',
      contentType: 'text/event-stream',
    },
    errors: NOT_FOUND,
    async handle({ params: { id = '' }, query: { after }, principal, context }) {
      const live = await ownSession(parts, id, principal);
      const start = startAt(context.req.header('last-event-id') ?? after, live);
      if (!start) throw new Problem(400, 'REQUEST_INVALID', 'a position in the log is a number, or `epoch:seq`');
      if (context.req.raw.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
      writeEventStream(context.env.outgoing, { live, start, ...parts.streamLimits }).catch((error: Error) => {
        parts.warn(`the events of session ${id} broke off: ${error.stack ?? error.message}`);
      });
      return RESPONSE_ALREADY_SENT;
    },
  });
}
