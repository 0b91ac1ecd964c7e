/**
 * The zod schemas of what crosses a boundary, for whoever reads it from outside. They are a module of their own
 * (`@toolpost/protocol/schemas`), because zod costs every start of the command more than everything else together.
 */
import { z } from 'zod';
import { FORM_ACTIONS, jsonObject } from './api-values.ts';
import { isJsonObject } from './json.ts';
import { type CallRecord, OUTCOMES } from './tool-call.ts';
import { shownUiSchema, uiActionEventSchema, uiDeltaSchema, uiOriginSchema, uiUpdateSchema } from './ui-schemas.ts';

export * from './api-schemas.ts';
export { contentBlockSchema } from './content-schemas.ts';
export {
  appPageSchema,
  appRequestSchema,
  appResponseSchema,
  handledUiActionSchema,
  postUiActionSchema,
  uiOriginSchema,
} from './ui-schemas.ts';

export const outputStreamSchema = z.enum(['stdout', 'stderr']);
const callRecord = z.custom<CallRecord>(isCallRecord, 'a call record');

/** The bodies of all events, by design section 7; the envelope is added when an event gets its number. */
const bodies = [
  // `turnId` is what a client named the turn that it asked for: its own among those of others.
  z.object({
    type: z.literal('turn-start'),
    text: z.string(),
    turnId: z.string().exactOptional(),
    uiAction: uiOriginSchema.exactOptional(),
  }),
  z.object({ type: z.literal('text-delta'), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), text: z.string() }),
  z.object({ type: z.literal('tool-input-delta'), toolCallId: z.string(), name: z.string(), text: z.string() }),
  uiDeltaSchema,
  uiUpdateSchema,
  uiActionEventSchema,
  z.object({
    type: z.literal('tool-call-start'),
    toolCallId: z.string(),
    name: z.string(),
    plugin: z.string(),
    arguments: z.string(),
    displayArg: z.string().exactOptional(),
    ui: shownUiSchema.exactOptional(),
  }),
  z.object({
    type: z.literal('approval-request'),
    approvalId: z.string(),
    toolCallId: z.string(),
    plugin: z.string(),
    name: z.string(),
    arguments: z.string(),
    reason: z.string(),
    preview: z.string().exactOptional(),
    expiresAt: z.number().exactOptional(),
    // Whether `always` can be answered; where it cannot, it counts as `session`.
    mayBeKept: z.boolean().exactOptional(),
  }),
  z.object({ type: z.literal('approval-end'), approvalId: z.string(), answer: z.string(), by: z.string() }),
  z.object({
    type: z.literal('form-request'),
    formId: z.string(),
    toolCallId: z.string(),
    plugin: z.string(),
    name: z.string(),
    message: z.string(),
    schema: jsonObject,
    expiresAt: z.number().exactOptional(),
  }),
  // What was filled in is the tool's alone: it stands in no event.
  z.object({ type: z.literal('form-end'), formId: z.string(), action: z.enum(FORM_ACTIONS), by: z.string() }),
  z.object({
    type: z.literal('tool-output-delta'),
    toolCallId: z.string(),
    stream: outputStreamSchema,
    text: z.string(),
  }),
  z.object({
    type: z.literal('tool-progress'),
    toolCallId: z.string(),
    progress: z.number(),
    total: z.number().exactOptional(),
    message: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('tool-call-end'),
    toolCallId: z.string(),
    name: z.string(),
    outcome: z.enum(OUTCOMES),
    result: callRecord,
  }),
  z.object({
    type: z.literal('usage'),
    inputTokens: z.number(),
    outputTokens: z.number(),
    totalTokens: z.number(),
  }),
  z.object({
    type: z.literal('turn-end'),
    text: z.string(),
    reason: z.enum(['completed', 'cancelled', 'max-steps', 'denied', 'loop']),
  }),
  z.object({ type: z.literal('turn-error'), message: z.string() }),
  z.object({
    type: z.literal('plugin-state'),
    plugin: z.string(),
    state: z.string(),
    error: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('warning'), message: z.string() }),
] as const;

export const eventBodySchema = z.discriminatedUnion('type', bodies);

const envelope = z.object({ sessionId: z.string(), seq: z.int().positive(), at: z.number() });

/** One event as it is stored and sent: a body with `sessionId`, `seq` (1, 2, 3 ...) and `at` (ms since 1970). */
export const eventSchema = z.intersection(eventBodySchema, envelope);

function isCallRecord(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    typeof value.name === 'string' &&
    OUTCOMES.includes(value.outcome as never) &&
    Array.isArray(value.content) &&
    typeof value.text === 'string'
  );
}
