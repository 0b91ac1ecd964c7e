import { type JsonObject, messageOf } from '@toolpost/protocol';
import { useCallback, useMemo } from 'react';
import { useConnection } from '../app/connection.ts';
import type { FrameAction } from '../frame/messages.ts';
import { plainText } from '../text/plain-text.ts';
import { createActionGate } from './action-gate.ts';

export interface ActionAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** What is said of an action whose plugin has no words of its own. */
export const ACTION_ANSWERS = {
  card: 'It stands in the conversation: send it on there',
  note: 'The model was told',
  plugin: 'Done',
} as const;

/** Tells the host of what is done in the interface of a call; the answer is for whoever did it. */
export function useInterfaceActions(sessionId: string, toolCallId: string, isFinal: boolean) {
  const { client } = useConnection();
  const gate = useMemo(() => createActionGate(() => performance.now()), []);
  return useCallback(
    async ({ action, data }: FrameAction): Promise<ActionAnswer> => {
      const refused = isFinal ? gate() : 'the interface is not whole yet';
      if (refused !== undefined) return { text: refused, isError: true };
      try {
        const { handled, result } = await client.uiAction(sessionId, { toolCallId, action, data: data as JsonObject });
        return { text: plainText(result?.text ?? '') || ACTION_ANSWERS[handled], isError: result?.isError ?? false };
      } catch (error) {
        return { text: messageOf(error), isError: true };
      }
    },
    [client, gate, sessionId, toolCallId, isFinal],
  );
}
