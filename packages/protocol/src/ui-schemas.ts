/** What tools draw, in events and in the HTTP API (seed A's `ui` block). */
import { z } from 'zod';
import { jsonObject, MAX_NAME_CHARS } from './api-values.ts';

/** How a call is drawn, as its `tool-call-start` keeps it: the tool may be gone when its history is read. */
export const shownUiSchema = z.object({
  mode: z.string(),
  /** The argument that carries the code; absent where only the result does. */
  param: z.string().exactOptional(),
  libs: z.array(z.string()),
  surface: z.enum(['inline', 'panel']),
  /** The page by MCP Apps that draws it, where its plugin brings one. */
  resourceUri: z.string().exactOptional(),
});

const drawn = { toolCallId: z.string(), mode: z.string(), libs: z.array(z.string()), surface: z.string() };

/** The code of a call so far: the next one replaces it. It comes while the model writes the argument. */
export const uiDeltaSchema = z.object({ type: z.literal('ui-delta'), ...drawn, code: z.string() });

/** After its call has ended: its plugin answered an action with another interface, which takes the place of the former. */
export const uiUpdateSchema = z.object({ type: z.literal('ui-update'), ...drawn, code: z.string() });

/**
 * Somebody has done something in an interface, and its plugin does not handle it: a card for the user, who may send it on.
 * `isNote`: it went into the turn that runs, and there is nothing to send. The same `actionId` again takes its place.
 */
export const uiActionEventSchema = z.object({
  type: z.literal('ui-action'),
  actionId: z.string(),
  toolCallId: z.string(),
  plugin: z.string(),
  action: z.string(),
  data: jsonObject,
  isNote: z.literal(true).exactOptional(),
});

/** Which action of an interface a turn is about: its text is what the interface said, and not the user. */
export const uiOriginSchema = z.object({
  actionId: z.string(),
  toolCallId: z.string(),
  plugin: z.string(),
  action: z.string(),
});

export const appPageSchema = z
  .object({
    html: z.string().describe('a document; it is to run in a frame without an origin and without a network'),
    domains: z.array(z.string()).describe('where it would load from and send to; it gets none of them'),
    tool: z.object({
      name: z.string().describe('as its server calls it'),
      description: z.string(),
      inputSchema: jsonObject,
    }),
    arguments: jsonObject,
  })
  .meta({ id: 'AppPage' });

export const appRequestSchema = z
  .strictObject({ method: z.enum(['tools/call', 'resources/read']), params: jsonObject })
  .meta({ id: 'AppRequest' });

export const appResponseSchema = z.object({ result: jsonObject }).meta({ id: 'AppResponse' });

export const postUiActionSchema = z
  .strictObject({
    toolCallId: z.string().min(1).max(MAX_NAME_CHARS).describe('the call that drew the interface'),
    action: z.string().min(1).max(MAX_NAME_CHARS),
    data: jsonObject.default({}).describe('what goes with it, at most 64 KB as JSON'),
  })
  .meta({ id: 'PostUiAction' });

export const handledUiActionSchema = z
  .object({
    handled: z
      .enum(['plugin', 'card', 'note'])
      .describe('`plugin`: it answered; `card`: the user may send it on; `note`: it is in the turn that runs'),
    actionId: z.string().exactOptional().describe('of the `ui-action` event; absent when the plugin handled it'),
    result: z
      .object({
        text: z.string(),
        isError: z.boolean(),
        structuredContent: jsonObject.exactOptional(),
        code: z.string().exactOptional().describe('the new interface, which a `ui-update` event carries too'),
      })
      .exactOptional()
      .describe("the plugin's answer"),
  })
  .meta({ id: 'HandledUiAction' });
