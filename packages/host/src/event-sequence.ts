import type { EventBody, ToolpostEvent } from '@toolpost/protocol';

/** Gives the events of one session their envelope: `seq` counts 1, 2, 3 ..., `at` is ms since 1970. */
export function createEventSequence(sessionId: string): (body: EventBody) => ToolpostEvent {
  let seq = 0;
  return (body) => ({ ...body, sessionId, seq: ++seq, at: Date.now() });
}
