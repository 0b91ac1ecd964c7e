/** A place in a session's log, as `Last-Event-ID` has it: `epoch:seq`. The epoch tells one log from another one. */
export function positionOf(epoch: string, seq: number): string {
  return `${epoch}:${seq}`;
}

export interface Start {
  readonly afterSeq: number;
  /** The reader knows events of another log: what it has is to be thrown away. */
  readonly isReset: boolean;
}

/**
 * Where a reader goes on that was at `position`: a number, `epoch:seq`, or nothing for the beginning. One that is of
 * another log, or ahead of this one, starts anew. Undefined when it is no position.
 */
export function startAt(position: string | undefined, log: { epoch: string; lastSeq: number }): Start | undefined {
  if (position === undefined || position === '') return { afterSeq: 0, isReset: false };
  const [, epoch, digits] = /^(?:([^:]*):)?(\d{1,15})$/.exec(position) ?? [];
  if (digits === undefined) return undefined;
  const afterSeq = Number(digits);
  const isKnown = (epoch === undefined || epoch === log.epoch) && afterSeq <= log.lastSeq;
  return isKnown ? { afterSeq, isReset: false } : { afterSeq: 0, isReset: afterSeq > 0 };
}
