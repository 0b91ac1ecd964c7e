/** Sessions, turns and approvals as the HTTP API takes and gives them. Times are ms since 1970. */
import { z } from 'zod';
import { FORM_ACTIONS, jsonObject, MAX_NAME_CHARS, name, time } from './api-values.ts';

const MAX_TEXT_CHARS = 1_000_000;

const model = z.string().min(1).max(500).describe('like "openai:gpt-5"; the configuration says it when absent');
const usage = z.object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() });

export const apiSessionSchema = z
  .object({
    id: z.string(),
    channel: z.string(),
    chatId: z.string(),
    user: z.string(),
    roots: z.array(z.string()),
    readOnlyRoots: z.array(z.string()).exactOptional(),
    title: z.string(),
    model: z.string().exactOptional(),
    createdAt: time,
    updatedAt: time,
    isRunning: z.boolean().describe('whether a turn runs or waits'),
    position: z.string().describe('of its last event, `epoch:seq`: `Last-Event-ID` takes it'),
    lastSeq: z.int().min(0),
  })
  .meta({ id: 'Session' });

/** With what only an open session tells. */
export const apiSessionDetailSchema = apiSessionSchema
  .extend({
    usage,
    openTurns: z.int().min(0),
    openMessages: z
      .array(z.object({ turnId: z.string(), text: z.string() }))
      .describe('that were posted with a `turnId`, and whose turns run or wait'),
  })
  .meta({ id: 'SessionDetail' });

export const apiSessionListSchema = z
  .object({
    sessions: z.array(apiSessionSchema).describe('the last changed first'),
    next: z.string().exactOptional().describe('`cursor` of the next page; absent on the last one'),
  })
  .meta({ id: 'SessionList' });

export const listSessionsQuerySchema = z.object({
  search: z.string().max(MAX_NAME_CHARS).exactOptional().describe('words that the title holds, whatever their case'),
  channel: name.exactOptional(),
  limit: z.coerce.number<string>().int().min(1).max(200).default(50),
  cursor: z.string().max(MAX_NAME_CHARS).exactOptional(),
});

export const createSessionSchema = z
  .strictObject({
    channel: name.exactOptional().describe('"web" when absent'),
    chatId: name.exactOptional().describe('opens the session of this chat when there is one; a new one when absent'),
    title: z.string().max(MAX_NAME_CHARS).exactOptional(),
    model: model.exactOptional(),
    roots: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .exactOptional()
      .describe('directories inside those that are granted; all of them when absent'),
  })
  .meta({ id: 'CreateSession' });

export const changeSessionSchema = z
  .strictObject({
    title: z.string().max(MAX_NAME_CHARS).exactOptional(),
    model: model.exactOptional().describe('from the next turn on; its key has to be set'),
  })
  .meta({ id: 'ChangeSession' });

export const exportQuerySchema = z.object({ format: z.enum(['markdown', 'json']).default('markdown') });

export const postMessageSchema = z
  .strictObject({
    text: z.string().min(1).max(MAX_TEXT_CHARS),
    model: model.exactOptional(),
    timeoutMs: z.int().min(1).max(3_600_000).exactOptional().describe('shortens the time limit of each call'),
    turnId: name.exactOptional().describe('a name of your own: it stands in the `turn-start` event'),
  })
  .meta({ id: 'PostMessage' });

/** The events of the turn come behind `position`, after those of the turns before it. */
export const acceptedTurnSchema = z
  .object({
    sessionId: z.string(),
    seq: z.int().min(0).describe('of the last event before it'),
    position: z.string(),
    turnsBefore: z.int().min(0).describe('turns that run or wait before it'),
  })
  .meta({ id: 'AcceptedTurn' });

export const historySchema = z
  .object({ messages: z.array(jsonObject).describe('as the model gets them') })
  .meta({ id: 'History' });

export const cancelledSchema = z.object({ cancelled: z.int().min(0) }).meta({ id: 'Cancelled' });
export const compactedSchema = z.object({ compacted: z.boolean() }).meta({ id: 'Compacted' });

export const followQuerySchema = z.object({
  after: z
    .string()
    .max(MAX_NAME_CHARS)
    .exactOptional()
    .describe('a number or `epoch:seq`; `Last-Event-ID` goes before it'),
});

export const pendingApprovalSchema = z
  .object({
    approvalId: z.string(),
    toolCallId: z.string(),
    plugin: z.string(),
    name: z.string(),
    arguments: z.string(),
    reason: z.string(),
    preview: z.string().exactOptional(),
    expiresAt: time.exactOptional(),
    mayBeKept: z.boolean().exactOptional().describe('whether "always" can be answered; else it counts as "session"'),
  })
  .meta({ id: 'PendingApproval' });

export const approvalListSchema = z.object({ approvals: z.array(pendingApprovalSchema) }).meta({ id: 'ApprovalList' });

export const answerApprovalSchema = z
  .strictObject({
    answer: z.enum(['once', 'session', 'always', 'no']),
    reason: z.string().max(2000).exactOptional().describe('why not; the model reads it'),
  })
  .meta({ id: 'AnswerApproval' });

export const pendingFormSchema = z
  .object({
    formId: z.string(),
    toolCallId: z.string(),
    plugin: z.string(),
    name: z.string(),
    message: z.string(),
    schema: jsonObject.describe('a flat JSON Schema: each property is a field'),
    expiresAt: time.exactOptional(),
  })
  .meta({ id: 'PendingForm' });

export const formListSchema = z.object({ forms: z.array(pendingFormSchema) }).meta({ id: 'FormList' });

export const answerFormSchema = z
  .strictObject({
    action: z.enum(FORM_ACTIONS),
    content: jsonObject.exactOptional().describe('what was filled in; it has to fit the schema of the form'),
  })
  .meta({ id: 'AnswerForm' });
