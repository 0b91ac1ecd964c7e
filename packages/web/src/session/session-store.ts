import { type ApiClient, ApiError } from '@toolpost/protocol';
import type { SessionView } from './entries.ts';
import { createSessionLog } from './session-log.ts';

export interface LiveView {
  readonly view: SessionView;
  readonly isConnected: boolean;
  /** Whether all that was there when the page opened has come. */
  readonly isLoaded: boolean;
  /** The last event that was there when the page was opened: what comes behind it, somebody looks on at. */
  readonly openedAt: number | undefined;
  /** Why it will not come again, as when the session was deleted. */
  readonly error: Error | undefined;
}

export interface SessionStore {
  get(): LiveView;
  /** Follows the session as long as somebody listens. */
  subscribe(listener: () => void): () => void;
}

/** Hidden pages get no animation frames. */
const HIDDEN_MS = 200;

/** Sessions that this page has made and not opened yet: all of them is new to whoever looks on. */
const madeHere = new Set<string>();

export function noteSessionMadeHere(sessionId: string): void {
  madeHere.add(sessionId);
}

/** The events of one session as they come, told at most once a frame. */
export function createSessionStore(client: ApiClient, sessionId: string): SessionStore {
  const log = createSessionLog();
  const listeners = new Set<() => void>();
  let live: LiveView = {
    ...{ view: log.view(), isConnected: false, isLoaded: false },
    ...{ openedAt: undefined, error: undefined },
  };
  let position: string | undefined;
  let following: AbortController | undefined;
  let isTelling = false;

  function tell(): void {
    if (isTelling) return;
    isTelling = true;
    const now = () => {
      isTelling = false;
      live = { ...live, view: log.view() };
      for (const listener of listeners) listener();
    };
    if (document.hidden) setTimeout(now, HIDDEN_MS);
    else requestAnimationFrame(now);
  }

  function set(change: Partial<LiveView>): void {
    live = { ...live, ...change };
    tell();
  }

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      const lastSeq = await lastSeqOf(client, sessionId);
      if (signal.aborted) return;
      if (live.openedAt === undefined) set({ openedAt: madeHere.delete(sessionId) ? 0 : lastSeq });
      if (lastSeq === 0) set({ isLoaded: true });
      position = await client.follow({
        ...{ sessionId, position, signal },
        onEvent(event) {
          log.take(event);
          if (!live.isLoaded && event.seq >= lastSeq) set({ isLoaded: true });
          tell();
        },
        onReset() {
          log.reset();
          tell();
        },
        onConnection: ({ isConnected }) => set({ isConnected }),
      });
    } catch (error) {
      if (!signal.aborted) set({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  return {
    get: () => live,
    subscribe(listener) {
      listeners.add(listener);
      if (!following) {
        following = new AbortController();
        void follow(following.signal);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        following?.abort();
        following = undefined;
      };
    },
  };
}

/** A server that does not answer now is asked again by what follows. */
async function lastSeqOf(client: ApiClient, sessionId: string): Promise<number> {
  try {
    return (await client.getSession(sessionId)).lastSeq;
  } catch (error) {
    if (error instanceof ApiError && error.isPassing) return 0;
    throw error;
  }
}
