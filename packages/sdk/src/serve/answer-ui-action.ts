import { type JsonObject, readUiAction, UI_ACTION_NOT_HANDLED } from '@toolpost/protocol';
import { runUiAction, type UiActionHandler } from '../plugin/ui-action.ts';
import { readHookEvent } from './read-hook-event.ts';

/**
 * The answer to `web_ui_action`: a result as of a tool.
 * @throws what the handler threw, or that nobody handles the action.
 */
export async function answerUiAction(
  handler: UiActionHandler | undefined,
  params: JsonObject,
  abortSignal: AbortSignal,
): Promise<JsonObject> {
  const { session } = readHookEvent(params);
  const result = await runUiAction(handler, readUiAction(params), { session, abortSignal });
  if (!result) throw new Error(UI_ACTION_NOT_HANDLED);
  return { result };
}
