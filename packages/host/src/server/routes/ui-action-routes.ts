import { acceptedTurnSchema, handledUiActionSchema, postUiActionSchema } from '@toolpost/protocol/schemas';
import { acceptTurn, assertTakesTurn } from '../accept-turn.ts';
import { defineRoute, type Route } from '../route.ts';
import { assertTakesWork, ownSession, type ServerParts } from '../server-parts.ts';

const PATH = '/api/sessions/{id}/ui-actions';
const ERRORS = ['SESSION_NOT_FOUND', 'NOT_FOUND', 'SERVER_BUSY', 'CONNECTION_CLOSED', 'SESSION_STORE_FAILED'] as const;

/** What somebody does in an interface that a call has drawn. None of it is the user's own word. */
export function uiActionRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: PATH,
      summary: 'Tell of what somebody did in an interface: its plugin handles it, or it becomes a card',
      tag: 'interfaces',
      body: postUiActionSchema,
      answer: { status: 200, description: 'What became of it.', schema: handledUiActionSchema },
      errors: ERRORS,
      async handle({ params: { id = '' }, body: { toolCallId, action, data }, principal, context }) {
        assertTakesWork(parts);
        const live = await ownSession(parts, id, principal);
        const { signal: abortSignal } = context.req.raw;
        return live.handleUiAction({ toolCallId, action, data }, { abortSignal });
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/{actionId}/send`,
      summary: 'Send the card of an action on to the model, as what the interface said',
      tag: 'interfaces',
      answer: { status: 202, description: 'Its turn runs, or waits.', schema: acceptedTurnSchema },
      errors: [...ERRORS, 'REQUEST_INVALID', 'MODEL_FAILED'],
      async handle({ params: { id = '', actionId = '' }, principal }) {
        const live = await ownSession(parts, id, principal);
        await live.checkModel();
        // Before it is taken: a card that waits for nothing could not be sent again.
        assertTakesTurn(parts, live);
        const { text, origin } = live.takeUiAction(actionId);
        return acceptTurn(parts, live, { text, uiAction: origin });
      },
    }),
  ];
}
