import { type JsonObject, type ToolCall, toShownUi } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { CallPath } from './call-in-progress.ts';
import type { CallOptions } from './call-options.ts';
import { displayArgOf } from './display-arg.ts';

interface Announcement {
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly tool?: RegisteredTool;
  readonly input?: JsonObject | undefined;
}

/** Tells the client that a call begins, with what is known of it. */
export function announceCall({ redact }: CallPath, { call, options, tool, input }: Announcement): void {
  if (!options.onEvent) return;
  const displayArg = tool && input && displayArgOf(tool.definition, input);
  const ui = tool?.definition.ui;
  options.onEvent({
    type: 'tool-call-start',
    toolCallId: call.id,
    name: tool?.definition.name ?? call.name,
    plugin: tool?.plugin.id ?? '',
    arguments: redact(call.arguments),
    ...(displayArg !== undefined && { displayArg: redact(displayArg) }),
    ...(ui && { ui: toShownUi(ui) }),
  });
}
