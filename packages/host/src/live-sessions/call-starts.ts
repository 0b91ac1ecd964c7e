import type { ToolpostEvent } from '@toolpost/protocol';
import { readLog } from '../sessions/read-log.ts';
import type { EventPage } from '../sessions/session-store.ts';

export interface LogOfCalls {
  readonly events: (page: EventPage) => readonly ToolpostEvent[];
  /** The number of the last event that is stored. */
  readonly lastSeq: () => number;
}

/**
 * Where the calls of a log began, by their ids. Older logs have an id more than once, where a provider numbered its calls anew: the
 * last one counts. Only what came since the last look is read.
 */
export class CallStarts {
  readonly #log: LogOfCalls;
  readonly #seqs = new Map<string, number>();
  #readSeq = 0;

  constructor(log: LogOfCalls) {
    this.#log = log;
  }

  /** The number of the event with which the newest call of this id began; undefined for an id that there is no call of. */
  seqOf(toolCallId: string): number | undefined {
    this.#catchUp();
    return this.#seqs.get(toolCallId);
  }

  /** All ids that the log has by now. */
  ids(): Iterable<string> {
    this.#catchUp();
    return this.#seqs.keys();
  }

  #catchUp(): void {
    const lastSeq = this.#log.lastSeq();
    if (lastSeq === this.#readSeq) return;
    const about = { types: ['tool-call-start'] };
    for (const event of readLog((page) => this.#log.events({ ...page, about }), this.#readSeq))
      if (event.type === 'tool-call-start') this.#seqs.set(event.toolCallId, event.seq);
    this.#readSeq = lastSeq;
  }
}
