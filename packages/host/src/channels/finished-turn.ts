import type { ChannelReply, InboundMessage } from '../sessions/inbox.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { GO_ON } from './begin-again.ts';

/**
 * The reply of a turn that had ended when its host was killed, before the reply was kept: it stands in the log. Undefined
 * where the turn did not come to its end, so that it is to run again.
 */
export function findFinishedTurn(
  store: SessionStore,
  { turn }: InboundMessage,
  text: string,
): ChannelReply | undefined {
  if (!turn || store.get(turn.sessionId)?.epoch !== turn.epoch) return undefined;
  let isOurs = false;
  for (let { afterSeq } = turn; ; ) {
    const page = store.events(turn.sessionId, { afterSeq });
    for (const event of page) {
      if (event.type === 'turn-start') isOurs = event.text === text || event.text === GO_ON;
      else if (event.type === 'turn-error') isOurs = false;
      else if (event.type === 'turn-end' && isOurs && event.reason !== 'cancelled')
        return { text: event.text, reason: event.reason };
      afterSeq = event.seq;
    }
    if (page.length === 0) return undefined;
  }
}
