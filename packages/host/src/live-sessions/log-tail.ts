import type { ToolpostEvent } from '@toolpost/protocol';
import type { EventPage } from '../sessions/session-store.ts';
import type { FollowOptions } from './live-session.ts';

type Listener = (event: ToolpostEvent) => void;

interface Subscriber {
  seq: number;
  readonly listener: Listener;
  isDelivering: boolean;
}

interface Follower {
  wake: () => void;
  end: { readonly error?: Error } | undefined;
}

/**
 * The end of one session's log, where readers wait for more. What was stored last is at hand for those who keep up; who
 * is behind reads from the store. So nothing piles up for a slow reader, and what another process has written in
 * between comes in its place.
 */
export class LogTail {
  readonly #read: (page: EventPage) => readonly ToolpostEvent[];
  readonly #onReaders: (hasReaders: boolean) => void;
  readonly #subscribers = new Set<Subscriber>();
  readonly #followers = new Set<Follower>();
  #latest: readonly ToolpostEvent[] = [];
  #lastSeq: number;

  /** `onReaders` hears of each reader that comes or goes whether there are any. */
  constructor(
    read: (page: EventPage) => readonly ToolpostEvent[],
    lastSeq: number,
    onReaders: (hasReaders: boolean) => void,
  ) {
    this.#read = read;
    this.#lastSeq = lastSeq;
    this.#onReaders = onReaders;
  }

  publish(events: readonly ToolpostEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#latest = events;
    this.reach(last.seq);
  }

  /** The log goes up to here, whoever has written it. */
  reach(lastSeq: number): void {
    if (lastSeq <= this.#lastSeq) return;
    this.#lastSeq = lastSeq;
    for (const subscriber of this.#subscribers) this.#deliver(subscriber);
    for (const follower of this.#followers) follower.wake();
  }

  /** Ends the readers there are; with an error, followers throw it. */
  end(error?: Error): void {
    this.#subscribers.clear();
    for (const follower of this.#followers) {
      follower.end = error ? { error } : {};
      follower.wake();
    }
    this.#tellReaders();
  }

  subscribe({ afterSeq = 0 }: Pick<FollowOptions, 'afterSeq'>, listener: Listener): () => void {
    const subscriber = { seq: afterSeq, listener, isDelivering: false };
    this.#subscribers.add(subscriber);
    this.#tellReaders();
    this.#deliver(subscriber);
    return () => {
      this.#subscribers.delete(subscriber);
      this.#tellReaders();
    };
  }

  async *follow({ afterSeq = 0, abortSignal }: FollowOptions): AsyncGenerator<readonly ToolpostEvent[]> {
    const follower: Follower = { wake: () => {}, end: undefined };
    const onAbort = () => follower.wake();
    this.#followers.add(follower);
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    this.#tellReaders();
    try {
      for (let seq = afterSeq; !abortSignal?.aborted; ) {
        if (follower.end?.error) throw follower.end.error;
        const batch = this.#next(seq);
        const last = batch.at(-1);
        if (last) {
          seq = last.seq;
          yield batch;
        } else if (follower.end) return;
        else await new Promise<void>((resolve) => (follower.wake = resolve));
      }
    } finally {
      abortSignal?.removeEventListener('abort', onAbort);
      this.#followers.delete(follower);
      this.#tellReaders();
    }
  }

  /** What stands behind a number; nothing at the end of the log. */
  #next(afterSeq: number): readonly ToolpostEvent[] {
    if (afterSeq >= this.#lastSeq) return [];
    const first = this.#latest[0]?.seq ?? Number.POSITIVE_INFINITY;
    if (first > afterSeq + 1) return this.#read({ afterSeq });
    const latest = first === afterSeq + 1 ? this.#latest : this.#latest.filter(({ seq }) => seq > afterSeq);
    return latest.length > 0 ? latest : this.#read({ afterSeq });
  }

  /** A listener may append again; the round that runs takes that along. */
  #deliver(subscriber: Subscriber): void {
    if (subscriber.isDelivering) return;
    subscriber.isDelivering = true;
    try {
      for (let batch = this.#next(subscriber.seq); batch.length > 0; batch = this.#next(subscriber.seq)) {
        for (const event of batch) {
          subscriber.seq = event.seq;
          if (this.#subscribers.has(subscriber)) subscriber.listener(event);
        }
      }
    } finally {
      subscriber.isDelivering = false;
    }
  }

  #tellReaders(): void {
    this.#onReaders(this.#subscribers.size + this.#followers.size > 0);
  }
}
