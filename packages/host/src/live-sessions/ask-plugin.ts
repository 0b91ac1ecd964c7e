import type { HandledUiAction, UiAction } from '@toolpost/protocol';
import { textOf } from '@toolpost/protocol';
import { cutText } from '../builtin/cut-text.ts';
import { redactResult } from '../call-path/redactor.ts';
import { settleFailure, settleValue } from '../call-path/settle.ts';
import type { Host } from '../host.ts';
import type { UiActor } from '../plugin-life/handle-ui-action.ts';

const MAX_TEXT_CHARS = 20_000;
const MAX_STRUCTURED_CHARS = 200_000;

export interface AskedAction {
  readonly plugin: string;
  readonly action: UiAction;
}

/** The plugin's answer as clients get it, its failure too; undefined for an action that it does not handle. */
export async function askPlugin(
  host: Host,
  { plugin, action }: AskedAction,
  actor: UiActor,
): Promise<HandledUiAction['result'] | undefined> {
  const settled = await settle(host, { plugin, action }, actor);
  if (!settled) return undefined;
  const { content, isError, structuredContent, metadata } = redactResult(settled, host.redact);
  const isSmall = structuredContent && JSON.stringify(structuredContent).length <= MAX_STRUCTURED_CHARS;
  return {
    text: cutText(textOf(content), MAX_TEXT_CHARS),
    isError,
    ...(isSmall && { structuredContent }),
    ...(typeof metadata?.ui_code === 'string' && { code: metadata.ui_code }),
  };
}

async function settle(host: Host, { plugin, action }: AskedAction, actor: UiActor) {
  try {
    const answer = await host.handleUiAction(plugin, action, actor);
    return answer.isHandled ? settleValue(answer.value).result : undefined;
  } catch (error) {
    return settleFailure(error, undefined).result;
  }
}
