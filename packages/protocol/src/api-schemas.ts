/**
 * What the HTTP API takes and gives, as zod schemas: they validate every request, and `/openapi.json` is made of them.
 * Times are ms since 1970.
 */
import { z } from 'zod';
import { contentBlockSchema } from './content-schemas.ts';
import { ERROR_CODES } from './error-codes.ts';
import { OUTCOMES } from './tool-call.ts';

const MAX_TEXT_CHARS = 1_000_000;
const MAX_NAME_CHARS = 200;

const name = z.string().min(1).max(MAX_NAME_CHARS);
const model = z.string().min(1).max(500).describe('like "openai:gpt-5"; the configuration says it when absent');
const jsonObject = z.record(z.string(), z.unknown());
const time = z.int().min(0).describe('milliseconds since 1970');
const usage = z.object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() });

/** RFC 9457, with one of our codes. */
export const problemSchema = z
  .object({
    type: z.string().describe('always "about:blank"'),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(ERROR_CODES) as [keyof typeof ERROR_CODES]),
    detail: z.string().describe('names the thing, the place and the remedy'),
  })
  .meta({ id: 'Problem' });

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
  .extend({ usage, openTurns: z.int().min(0) })
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
  .strictObject({ title: z.string().max(MAX_NAME_CHARS) })
  .meta({ id: 'ChangeSession' });

export const postMessageSchema = z
  .strictObject({
    text: z.string().min(1).max(MAX_TEXT_CHARS),
    model: model.exactOptional(),
    timeoutMs: z.int().min(1).max(3_600_000).exactOptional().describe('shortens the time limit of each call'),
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
  })
  .meta({ id: 'PendingApproval' });

export const approvalListSchema = z.object({ approvals: z.array(pendingApprovalSchema) }).meta({ id: 'ApprovalList' });

export const answerApprovalSchema = z
  .strictObject({
    answer: z.enum(['once', 'session', 'always', 'no']),
    reason: z.string().max(2000).exactOptional().describe('why not; the model reads it'),
  })
  .meta({ id: 'AnswerApproval' });

export const apiToolSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    inputSchema: jsonObject,
    outputSchema: jsonObject.exactOptional(),
    annotations: jsonObject.exactOptional(),
    plugin: z.string(),
    runtime: z.string(),
    scope: z.enum(['builtin', 'global', 'tenant', 'channel']),
    ui: z.unknown().optional(),
    primaryArg: z.string().exactOptional(),
  })
  .meta({ id: 'Tool' });

export const toolListSchema = z.object({ tools: z.array(apiToolSchema) }).meta({ id: 'ToolList' });

const candidate = z.looseObject({
  name: z.string(),
  plugin: z.string(),
  scope: z.string(),
  status: z.string(),
  reason: z.string(),
  by: z.string().exactOptional(),
});

export const whySchema = z
  .object({
    name: z.string(),
    visible: z.boolean(),
    candidates: z.array(candidate),
    similar: z.array(z.string()),
    permissions: jsonObject.exactOptional(),
    alwaysAllowed: z.array(jsonObject),
    hooks: z.array(jsonObject),
    brokenPlugins: z.array(z.object({ id: z.string(), error: z.string() })),
  })
  .meta({ id: 'Why' });

const pluginProcess = z.object({
  pid: z.int(),
  tenant: z.string().exactOptional().describe('whom it serves; absent where it serves all'),
  startedAt: time,
  ageMs: z.int(),
  memoryBytes: z.int().exactOptional(),
  restarts: z.int(),
  lastStderr: z.array(z.string()),
});

export const apiPluginSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    runtime: z.string(),
    state: z.enum(['discovered', 'active', 'inactive', 'error']),
    dir: z.string().exactOptional(),
    tools: z.array(z.string()),
    error: z.string().exactOptional(),
    processes: z.array(pluginProcess),
  })
  .meta({ id: 'Plugin' });

export const pluginListSchema = z.object({ plugins: z.array(apiPluginSchema) }).meta({ id: 'PluginList' });

/** What `call --json` prints. */
export const callRecordSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    plugin: z.string(),
    outcome: z.enum(OUTCOMES),
    isError: z.boolean(),
    content: z.array(contentBlockSchema),
    text: z.string(),
    structuredContent: jsonObject.exactOptional(),
    metadata: jsonObject.exactOptional(),
    durationMs: z.number(),
  })
  .meta({ id: 'CallRecord' });

export const callListSchema = z
  .object({
    calls: z.array(z.object({ seq: z.int(), at: time, record: callRecordSchema })),
    next: z.int().exactOptional().describe('`after` of the next page; absent on the last one'),
  })
  .meta({ id: 'CallList' });

export const pageQuerySchema = z.object({
  after: z.coerce.number<string>().int().min(0).default(0),
  limit: z.coerce.number<string>().int().min(1).max(1000).default(100),
});

export const journalQuerySchema = z.object({
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .exactOptional()
    .describe('of UTC, like 2026-11-30; today when absent'),
  limit: z.coerce.number<string>().int().min(1).max(1000).default(100),
});

export const journalSchema = z
  .object({ entries: z.array(jsonObject).describe('one for each call, the newest last') })
  .meta({ id: 'Journal' });

export const statusSchema = z
  .object({
    version: z.string(),
    startedAt: time,
    tenant: z.string(),
    user: z.string(),
    model: z.string(),
    openTurns: z.int().min(0),
  })
  .meta({ id: 'Status' });

export const modelsSchema = z
  .object({
    default: z.string(),
    providers: z.array(
      z.object({
        id: z.string(),
        specification: z.string().describe('how a model of it is written'),
        isReady: z.boolean().describe('whether its key is set'),
      }),
    ),
  })
  .meta({ id: 'Models' });

export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });
export const loginSchema = z.strictObject({ code: z.string().min(1).max(MAX_NAME_CHARS) }).meta({ id: 'Login' });
export const tokenSchema = z.object({ token: z.string() }).meta({ id: 'Token' });
export const linkSchema = z
  .object({ url: z.string().describe('opens the page once, without typing a token') })
  .meta({ id: 'Link' });

export const followQuerySchema = z.object({
  after: z
    .string()
    .max(MAX_NAME_CHARS)
    .exactOptional()
    .describe('a number or `epoch:seq`; `Last-Event-ID` goes before it'),
});

export const channelQuerySchema = z.object({ channel: name.default('web') });

export const exportQuerySchema = z.object({ format: z.enum(['markdown', 'json']).default('markdown') });
