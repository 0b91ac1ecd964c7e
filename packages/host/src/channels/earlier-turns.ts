import type { ChannelReply, InboundMessage } from '../sessions/inbox.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { GO_ON } from './begin-again.ts';

/** What the log says of the turns that were begun for a message before. */
export interface EarlierTurns {
  /** One had begun: the conversation has the message. */
  readonly hasBegun: boolean;
  /** Tools were called in one. */
  readonly hasCalled: boolean;
  /** Of one that had come to its end when the host was killed, before its reply was kept. */
  readonly reply?: ChannelReply;
}

const NONE: EarlierTurns = { hasBegun: false, hasCalled: false };

/** @param text - the message as the log has it */
export function findEarlierTurns(store: SessionStore, { turn }: InboundMessage, text: string): EarlierTurns {
  if (!turn || store.get(turn.sessionId)?.epoch !== turn.epoch) return NONE;
  let hasBegun = false;
  let hasCalled = false;
  let isOurs = false;
  for (let { afterSeq } = turn; ; ) {
    const page = store.events(turn.sessionId, { afterSeq });
    for (const event of page) {
      if (event.type === 'turn-start') isOurs = event.text === text || event.text === GO_ON;
      if (isOurs && event.type === 'turn-end' && event.reason !== 'cancelled')
        return { hasBegun, hasCalled, reply: { text: event.text, reason: event.reason } };
      if (event.type === 'turn-end' || event.type === 'turn-error') isOurs = false;
      hasBegun ||= isOurs;
      hasCalled ||= isOurs && event.type === 'tool-call-start';
      afterSeq = event.seq;
    }
    if (page.length === 0) return { hasBegun, hasCalled };
  }
}
