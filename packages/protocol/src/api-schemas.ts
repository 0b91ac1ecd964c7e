/**
 * What the HTTP API takes and gives, as zod schemas: they validate every request, and `/openapi.json` is made of them.
 * Times are ms since 1970.
 */
import { z } from 'zod';
import { jsonObject, MAX_NAME_CHARS, name, time } from './api-values.ts';
import { contentBlockSchema } from './content-schemas.ts';
import { ERROR_CODES } from './error-codes.ts';
import { OUTCOMES } from './tool-call.ts';
import { shownUiSchema } from './ui-schemas.ts';

export * from './api-session-schemas.ts';

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
  runtime: z.string(),
  origin: z.string(),
  status: z.string(),
  reason: z.string(),
  by: z.string().exactOptional(),
  patch: z.string().exactOptional().describe('how the definition differs from the accepted one'),
});

const toolPermissions = z.looseObject({
  rules: z.array(z.looseObject({ decision: z.enum(['allow', 'ask', 'deny']), text: z.string(), place: z.string() })),
  byDefault: z.string().describe('what happens where no rule matches'),
});

const keptApproval = z.looseObject({ id: z.string(), arguments: z.string().describe('JSON text, shortened') });

const hook = z.looseObject({
  plugin: z.string(),
  event: z.string(),
  matcher: z.string().describe('"*" for every tool'),
  failClosed: z.boolean(),
});

export const whySchema = z
  .object({
    name: z.string(),
    visible: z.boolean(),
    candidates: z.array(candidate),
    similar: z.array(z.string()),
    ui: shownUiSchema.exactOptional(),
    permissions: toolPermissions.exactOptional(),
    alwaysAllowed: z.array(keptApproval),
    hooks: z.array(hook),
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
    mayStop: z.boolean().describe('whether you may stop and restart it'),
  })
  .meta({ id: 'Plugin' });

export const pluginReloadSchema = z
  .object({
    added: z.array(z.string()),
    changed: z.array(z.string()).describe('Started again: their files changed, or they did not work'),
    removed: z.array(z.string()),
    broken: z.array(z.object({ id: z.string(), error: z.string() })).describe('Of all that are there now'),
  })
  .meta({ id: 'PluginReload' });

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
  sessionId: z.string().max(MAX_NAME_CHARS).exactOptional().describe('only calls of this session'),
  callId: z.string().max(MAX_NAME_CHARS).exactOptional().describe('only calls of this id: a model may use one again'),
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
    isOperator: z.boolean().describe("whether you look after everybody's plugins"),
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

export const channelQuerySchema = z.object({ channel: name.default('web') });
