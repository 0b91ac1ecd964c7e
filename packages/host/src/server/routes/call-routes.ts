import {
  callListSchema,
  callRecordSchema,
  journalQuerySchema,
  journalSchema,
  pageQuerySchema,
} from '@toolpost/protocol/schemas';
import { openFullOutput } from '../full-output.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { ownSession, type ServerParts } from '../server-parts.ts';
import { callsOf, findCall } from '../stored-calls.ts';

const PATH = '/api/sessions/{id}/calls';
const ERRORS = ['SESSION_NOT_FOUND', 'NOT_FOUND'] as const;

export function callRoutes(parts: ServerParts): readonly Route[] {
  const recordOf = async (request: {
    params: Readonly<Record<string, string>>;
    principal: Parameters<typeof ownSession>[2];
  }) => {
    const { id = '', callId = '' } = request.params;
    const live = await ownSession(parts, id, request.principal);
    const record = await findCall(live, callId);
    if (record) return { live, record };
    throw new Problem(404, 'NOT_FOUND', `there is no call ${JSON.stringify(callId)} that has ended in this session`);
  };
  return [
    defineRoute({
      method: 'get',
      path: PATH,
      summary: 'List the records of the calls of a session',
      tag: 'calls',
      query: pageQuerySchema,
      answer: { status: 200, description: 'The oldest first.', schema: callListSchema },
      errors: ['SESSION_NOT_FOUND'],
      handle: async ({ params: { id = '' }, query, principal }) =>
        callsOf(await ownSession(parts, id, principal), query),
    }),
    defineRoute({
      method: 'get',
      path: `${PATH}/{callId}`,
      summary: 'Get the record of a call',
      tag: 'calls',
      answer: { status: 200, description: 'As `call --json` prints it.', schema: callRecordSchema },
      errors: ERRORS,
      handle: async (request) => (await recordOf(request)).record,
    }),
    defineRoute({
      method: 'get',
      path: `${PATH}/{callId}/output`,
      summary: 'Get the whole text of a result, also where the record has a part of it',
      tag: 'calls',
      answer: { status: 200, description: 'The text.', contentType: 'text/plain; charset=utf-8' },
      errors: ERRORS,
      async handle(request) {
        const { live, record } = await recordOf(request);
        const body = await openFullOutput(parts.host.homeDir, live.session, record);
        return new Response(body, {
          headers: {
            'content-type': 'text/plain; charset=utf-8',
            'cache-control': 'no-store',
            'content-disposition': 'attachment; filename="output.txt"',
          },
        });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/journal',
      summary: 'Read the journal of your calls: what a model sent, who allowed it, how it ended',
      tag: 'calls',
      query: journalQuerySchema,
      answer: { status: 200, description: 'The latest of the day.', schema: journalSchema },
      async handle({ query, principal: { tenant, user } }) {
        return { entries: await parts.host.readJournal({ tenant, user, ...query }) };
      },
    }),
  ];
}
