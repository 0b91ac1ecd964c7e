import type { EventBody, Session } from '@toolpost/protocol';
import type { LiveTurnOptions } from './live-session.ts';

type Say = (body: EventBody) => void;

/** Says of a turn's start whose it is. */
export function sayingWhose(say: Say, { turnId, uiAction }: LiveTurnOptions): Say {
  if (turnId === undefined && uiAction === undefined) return say;
  const whose = { ...(turnId !== undefined && { turnId }), ...(uiAction && { uiAction }) };
  return (body) => say(body.type === 'turn-start' ? { ...body, ...whose } : body);
}

/** What a question is about stands on the screen before the question does. */
export function seenFirst<Question extends ((...given: never[]) => unknown) | undefined>(
  question: Question,
  flush: () => void,
): Question {
  if (!question) return question;
  const asking = (...given: never[]) => {
    flush();
    return question(...given);
  };
  return Object.assign(asking, question) as Question;
}

/** Says so where a session goes on without some of its roots. */
export function warnOfLostRoots(say: Say, kept: Session, granted: Session): void {
  const lost = kept.roots.filter((root) => !granted.roots.includes(root));
  if (lost.length === 0) return;
  const message = `This session goes on without ${lost.join(', ')}: not there any more, or not granted any more.`;
  say({ type: 'warning', message });
}
