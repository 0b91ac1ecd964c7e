import { isJsonObject, type JsonObject, messageOf, quoteValue } from '@toolpost/protocol';
import { toToolResult } from '@toolpost/sdk';
import { uiActionText } from '../live-sessions/ui-action-text.ts';
import { actingSession } from './acting-session.ts';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { encodeResult } from './protocol-era.ts';
import { invalidParams } from './rpc-error.ts';
import { catalogOf } from './tool-catalog.ts';

const MAX_NAME_CHARACTERS = 200;
const MAX_DATA_CHARACTERS = 64_000;

interface AppAction {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly action: string;
  readonly data: JsonObject;
}

/**
 * Has the plugin of a tool handle an action of its page. Where it does not, the answer has the message that the page may ask
 * the client to send, in which nothing counts as the user's words. A call that is not one of this session's is not told to the plugin.
 * @throws RpcError for a tool that the session does not see, and for what is no action.
 */
export async function handleAppAction({ host }: McpParts, given: unknown, exchange: Exchange): Promise<string> {
  const { session, abortSignal, era } = exchange;
  const action = readAction(given);
  const { snapshot, names } = await catalogOf(host, session);
  const tool = snapshot.find(names.fromWire(action.toolName)) ?? snapshot.find(action.toolName);
  if (!tool) throw invalidParams(`there is no tool ${quoteValue(action.toolName)} in this session`);
  const toolName = tool.definition.name;
  const acting = actingSession(session);
  const toolCallId = acting.isCallOf(action.toolCallId, toolName) ? action.toolCallId : '';
  const own = { ...action, toolName, toolCallId };
  try {
    const answer = await acting.admit(() => host.handleUiAction(tool.plugin.id, own, { session, abortSignal }));
    if (!answer) throw new Error('too many actions come from the pages of this session: wait a few seconds');
    return encodeResult(era, answer.isHandled ? handled(answer.value) : unhandled({ ...own, plugin: tool.plugin.id }));
  } catch (error) {
    const message = messageOf(error);
    return encodeResult(era, { content: [{ type: 'text', text: message }], isError: true });
  }
}

/** A text, a result, or any value, as the plugin answers it. */
function handled(value: unknown): JsonObject {
  const { content, isError, metadata } = toToolResult(value);
  const code = metadata?.ui_code;
  return {
    content,
    ...(isError && { isError }),
    structuredContent: { isHandled: true, ...(typeof code === 'string' && { code }) },
  };
}

function unhandled(told: AppAction & { readonly plugin: string }): JsonObject {
  return {
    content: [{ type: 'text', text: 'The plugin does not handle this action.' }],
    structuredContent: { isHandled: false, message: uiActionText(told, 'sent') },
  };
}

function readAction(given: unknown): AppAction {
  if (!isJsonObject(given)) throw invalidParams(`arguments have to be an object, got ${quoteValue(given)}`);
  const { tool, action, data = {}, toolCallId = '' } = given;
  for (const [name, value] of Object.entries({ tool, action, toolCallId }))
    if (typeof value !== 'string' || value.length > MAX_NAME_CHARACTERS)
      throw invalidParams(`${name} has to be text of at most ${MAX_NAME_CHARACTERS} characters`);
  if (!isJsonObject(data) || JSON.stringify(data).length > MAX_DATA_CHARACTERS)
    throw invalidParams(`data has to be an object of at most ${MAX_DATA_CHARACTERS} characters as JSON`);
  return { toolName: String(tool), action: String(action), toolCallId: String(toolCallId), data };
}
