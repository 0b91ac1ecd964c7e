import type { z } from 'zod';
import type { eventBodySchema, eventSchema, outputStreamSchema } from './schemas.ts';

export type OutputStream = z.infer<typeof outputStreamSchema>;
/** What happened, before it has a number. Design section 7 gives the order in a turn. */
export type EventBody = z.infer<typeof eventBodySchema>;
/** One event as it is stored and sent: a body with `sessionId`, `seq` (1, 2, 3 ...) and `at` (ms since 1970). */
export type ToolpostEvent = EventBody & Pick<z.infer<typeof eventSchema>, 'sessionId' | 'seq' | 'at'>;
export type TurnEndReason = Extract<EventBody, { type: 'turn-end' }>['reason'];
