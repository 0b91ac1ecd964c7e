import type { UiAction } from '@toolpost/protocol';
import { toToolResult } from '../results/to-tool-result.ts';
import type { HookEvent } from './hooks.ts';

export type { UiAction } from '@toolpost/protocol';

/** In which session it was done. `abortSignal` aborts when nobody waits for the answer any more. */
export interface UiActionContext {
  readonly session: HookEvent['session'];
  readonly abortSignal: AbortSignal;
}

/**
 * Handles what somebody does in an interface that a tool of the plugin has drawn, within 30 seconds. What it gives is a result
 * as of a tool: its text is shown there, and its `ui_code` takes the place of the interface. `false` leaves the action to the
 * user, who may send it on to the model.
 */
export type UiActionHandler = (action: UiAction, context: UiActionContext) => unknown | Promise<unknown>;

/** The answer to one action, as it goes to the host: a result, or undefined for an action that is not handled. */
export async function runUiAction(
  handler: UiActionHandler | undefined,
  action: UiAction,
  context: UiActionContext,
): Promise<ReturnType<typeof toToolResult> | undefined> {
  if (!handler) return undefined;
  const value = await handler(action, context);
  return value === false ? undefined : toToolResult(value);
}
