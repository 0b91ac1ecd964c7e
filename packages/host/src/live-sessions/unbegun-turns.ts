import { type EventBody, HostError } from '@toolpost/protocol';
import type { SessionLog } from './session-log.ts';

/** A turn that was cancelled while another process had the session. */
interface UnbegunTurn {
  readonly text: string;
  readonly turnId: string | undefined;
}

/**
 * Turns that were cancelled before they could begin. Clients that asked for one wait for its end: that is written as soon
 * as the other process is done, since nothing may stand between the events of its turn.
 */
export class UnbegunTurns {
  readonly #log: Pick<SessionLog, 'say' | 'whenFree'>;
  readonly #hold: () => () => void;
  #waiting: UnbegunTurn[] = [];
  #release: (() => void) | undefined;

  /** `hold` has `tell` called until what it gives back is called. */
  constructor(log: Pick<SessionLog, 'say' | 'whenFree'>, hold: () => () => void) {
    this.#log = log;
    this.#hold = hold;
  }

  add(turn: UnbegunTurn): void {
    this.#waiting.push(turn);
    this.#release ??= this.#hold();
  }

  /** Writes them when the session is free. */
  tell(): void {
    if (this.#waiting.length > 0) this.#log.whenFree(() => this.tellNow());
  }

  /** A last try: what cannot be told now never is. */
  end(): void {
    try {
      this.tell();
    } catch (error) {
      // The session was deleted, or nothing can be stored.
      if (!(error instanceof HostError)) throw error;
    }
    this.#waiting = [];
    this.#release?.();
    this.#release = undefined;
  }

  /** Writes them in work that has the session. */
  tellNow(): void {
    const told = this.#waiting;
    this.#waiting = [];
    for (const body of told.flatMap(eventsOf)) this.#log.say(body);
    this.#release?.();
    this.#release = undefined;
  }
}

function eventsOf({ text, turnId }: UnbegunTurn): EventBody[] {
  return [
    { type: 'turn-start', text, ...(turnId !== undefined && { turnId }) },
    { type: 'turn-end', text: '', reason: 'cancelled' },
  ];
}
