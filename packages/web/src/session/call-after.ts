import type { ToolpostEvent } from '@toolpost/protocol';
import type { CallEntry } from './entries.ts';
import { addOutput } from './output-tail.ts';

type EventOf<Type extends ToolpostEvent['type']> = Extract<ToolpostEvent, { type: Type }>;

/** What happens to a call until it has ended. */
export type CallEvent = Exclude<Extract<ToolpostEvent, { toolCallId: string }>, EventOf<'ui-action' | 'ui-update'>>;

/** The call as it is after an event of it. */
export function callAfter(call: CallEntry, event: CallEvent): CallEntry {
  switch (event.type) {
    case 'tool-input-delta':
      return { ...call, name: event.name, argumentsText: call.argumentsText + event.text };
    case 'tool-call-start': {
      const { name, plugin, arguments: argumentsText, displayArg, at, ui } = event;
      return { ...call, name, plugin, argumentsText, displayArg, ui, state: 'running', startedAt: at };
    }
    case 'tool-output-delta':
      return { ...call, output: addOutput(call.output, event) };
    case 'tool-progress': {
      const { progress, total, message } = event;
      return {
        ...call,
        progress: { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) },
      };
    }
    case 'ui-delta': {
      const { mode, libs, surface, code } = event;
      return { ...call, drawn: { mode, libs, surface, code } };
    }
    case 'tool-call-end':
      return {
        ...call,
        ...{ name: event.name, state: event.outcome, record: event.result, endedAt: event.at },
        ...{ plugin: call.plugin || event.result.plugin, approval: undefined, form: undefined },
      };
    default:
      return call;
  }
}
