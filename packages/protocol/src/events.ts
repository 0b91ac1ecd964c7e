import type { z } from 'zod';
import type { eventBodySchema, eventSchema, outputStreamSchema } from './schemas.ts';
import type { shownUiSchema, uiOriginSchema } from './ui-schemas.ts';

export type OutputStream = z.infer<typeof outputStreamSchema>;
/** What happened, before it has a number. Design section 7 gives the order in a turn. */
export type EventBody = z.infer<typeof eventBodySchema>;
/** One event as it is stored and sent: a body with `sessionId`, `seq` (1, 2, 3 ...) and `at` (ms since 1970). */
export type ToolpostEvent = EventBody & Pick<z.infer<typeof eventSchema>, 'sessionId' | 'seq' | 'at'>;
export type TurnEndReason = Extract<EventBody, { type: 'turn-end' }>['reason'];
/** How a call is drawn, as events keep it. */
export type ShownUi = z.infer<typeof shownUiSchema>;
/** Which action of an interface a turn is about. */
export type UiOrigin = z.infer<typeof uiOriginSchema>;

/** Why a turn ended, in words for a person; an end as it should be needs none. */
export const TURN_ENDINGS = {
  completed: undefined,
  cancelled: 'Cancelled',
  'max-steps': 'Stopped: too many steps',
  denied: 'Stopped: a hook kept it from the model',
  loop: 'Stopped: the same call came again and again',
} as const satisfies Record<TurnEndReason, string | undefined>;
