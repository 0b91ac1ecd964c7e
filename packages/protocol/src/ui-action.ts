import { isJsonObject, type JsonObject } from './json.ts';
import { HOST_METHODS } from './stdio-wire.ts';

/** What somebody did in an interface that a tool has drawn. It comes out of the interface: nothing of it is the user's word. */
export interface UiAction {
  readonly toolName: string;
  /** The call that drew it. */
  readonly toolCallId: string;
  readonly action: string;
  readonly data: JsonObject;
}

/**
 * Params of `web_ui_action`, by section 5 of the reference: `widgetId` is the tool's name. What stands behind `chatId` is
 * not in the seeds.
 */
export interface UiActionParams {
  widgetId: string;
  action: string;
  data: JsonObject;
  chatId: string;
  toolCallId: string;
  sessionId: string;
  channel: string;
  tenant: string;
  user: string;
}

/** Reads them as a plugin gets them; a host of the seeds sends `data` as JSON text. */
export function readUiAction(params: JsonObject): UiAction {
  const { widgetId, action, data, toolCallId } = params;
  return {
    toolName: String(widgetId ?? ''),
    toolCallId: String(toolCallId ?? ''),
    action: String(action ?? ''),
    data: readData(data),
  };
}

function readData(data: unknown): JsonObject {
  if (isJsonObject(data)) return data;
  try {
    const value: unknown = JSON.parse(String(data));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a plugin answers that handles no actions, or not this one. */
export const UI_ACTION_NOT_HANDLED = `${HOST_METHODS.webUiAction} not implemented`;

/** Whether an error says that a plugin has no such method, in the words of the seeds' SDKs and of others. */
export function isNotImplemented(error: string): boolean {
  return /not implemented|unknown method|method not found|unsupported method/i.test(error);
}
