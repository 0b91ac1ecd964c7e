import { type EventBody, messageOf, type ToolpostEvent } from '@toolpost/protocol';
import type { LogEntry, SessionStore } from '../sessions/session-store.ts';
import { claimTurn, closingEntries } from './claim-turn.ts';
import { LogTail } from './log-tail.ts';
import type { LogSource, LogWriter } from './log-writer.ts';

export interface SessionLogParts {
  readonly id: string;
  readonly store: SessionStore;
  readonly writer: LogWriter;
  /** The number of the last event that is stored. */
  readonly lastSeq: number;
  readonly onReaders: (hasReaders: boolean) => void;
  /** Called when nothing that is added is kept any more. */
  readonly onFailure: () => void;
}

/** The log and the history of one session, which one piece of work at a time appends to, in whichever process. */
export class SessionLog implements LogSource {
  readonly id: string;
  readonly #store: SessionStore;
  readonly #writer: LogWriter;
  readonly #tail: LogTail;
  readonly #onFailure: () => void;
  /** Why what the work that runs adds is no longer kept. */
  #failure: Error | undefined;
  #isWorking = false;

  constructor({ id, store, writer, lastSeq, onReaders, onFailure }: SessionLogParts) {
    this.id = id;
    this.#store = store;
    this.#writer = writer;
    this.#tail = new LogTail((page) => store.events(id, page), lastSeq, onReaders);
    this.#onFailure = onFailure;
  }

  /** For readers, who see what is stored. */
  get tail(): LogTail {
    return this.#tail;
  }

  add(entry: LogEntry): void {
    if (!this.#failure) this.#writer.add(this, entry);
  }

  /** An event that happens now. */
  say = (body: EventBody): void => this.add({ type: 'event', body, at: Date.now() });

  /**
   * An event that happens now, beside whatever work there is: stored and seen when this returns.
   * @throws HostError SESSION_STORE_FAILED or SESSION_NOT_FOUND when it is not.
   */
  sayNow = (body: EventBody): void => {
    // What an earlier piece of work could not store says nothing of this.
    if (!this.#isWorking) this.#failure = undefined;
    this.say(body);
    this.flush();
    if (this.#failure) throw this.#failure;
  };

  /** What was added is stored and seen when this returns. */
  flush(): void {
    this.#writer.flush();
  }

  /**
   * Does the work while no other process works on the session, after closing what a killed one left open. Undefined when
   * the wait for that was cancelled.
   * @throws what the work throws, or HostError SESSION_STORE_FAILED or SESSION_NOT_FOUND when what it added is not kept.
   */
  async alone<T>(abortSignal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    this.#failure = undefined;
    const claim = await claimTurn(this.#store, this.id, abortSignal);
    if (!claim) return undefined;
    this.#isWorking = true;
    try {
      if (claim === 'interrupted') this.#close();
      const result = await work();
      this.flush();
      if (this.#failure) throw this.#failure;
      return result;
    } catch (error) {
      // A fault of the host: clients see the end of its turn all the same.
      if (!this.#failure) this.#close(`Toolpost failed in this turn: ${messageOf(error)}.`);
      throw error;
    } finally {
      this.#isWorking = false;
      this.#release();
    }
  }

  /** Closes a turn that a killed host left open, so that clients see its end. */
  closeInterrupted(): void {
    const open = this.#store.get(this.id)?.openTurn;
    if (open && !open.isRunning) this.whenFree(() => undefined);
  }

  /** Does work that takes no time, unless some process works on the session. Returns whether it did. */
  whenFree(work: () => void): boolean {
    const claim = this.#store.beginTurn(this.id);
    if (claim === 'busy') return false;
    this.#failure = undefined;
    try {
      if (claim === 'interrupted') this.#close();
      work();
      this.flush();
    } finally {
      this.#release();
    }
    return true;
  }

  /** Looks for what another process has stored. Of a session that it deleted readers reach the end, and work is given up. */
  catchUp(): void {
    const stored = this.#store.get(this.id);
    if (stored) this.#tail.reach(stored.lastSeq);
    else {
      this.#onFailure();
      this.#tail.end();
    }
  }

  stored(events: readonly ToolpostEvent[]): void {
    this.#tail.publish(events);
  }

  failed(error: Error): void {
    this.#failure ??= error;
    this.#onFailure();
    this.#tail.end(error);
  }

  #close(why?: string): void {
    this.flush();
    for (const entry of closingEntries(this.#store, this.id, why)) this.add(entry);
    this.flush();
  }

  /** After a full disk not even that can be written; the claim ends with this process. */
  #release(): void {
    try {
      this.#store.endTurn(this.id);
    } catch (error) {
      if (!this.#failure) throw error;
    }
  }
}
