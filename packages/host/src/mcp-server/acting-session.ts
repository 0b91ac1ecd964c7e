import type { CallRecord, Session } from '@toolpost/protocol';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts';

/** As in the client of `toolpost serve`: a person clicks, code that fires by itself is held back. */
const [MAX_ACTIONS, ACTIONS_MS] = [30, 10_000];
const MAX_OPEN = 8;
/** Calls that pages may be of. */
const MAX_CALLS = 1000;

/** What the pages of one session may do: not too much at once, and each in its own call. */
export interface ActingSession {
  /** The call has been told to the client. */
  told(record: Pick<CallRecord, 'id' | 'name'>): void;
  /** Whether it is a call of this session, to this tool. Ids can be guessed. */
  isCallOf(toolCallId: string, toolName: string): boolean;
  /** A page of this plugin may be shown by the client from now on. */
  pageOpened(pluginId: string): void;
  hasPageOf(pluginId: string): boolean;
  /** The plugins beside this one of which pages may be shown. */
  otherPages(pluginId: string): readonly string[];
  /** Runs one action. Undefined, without running it, where there are too many. */
  admit<Value>(action: () => Promise<Value>): Promise<Value> | undefined;
}

const acting = new WeakMap<Session, ActingSession>();

export function actingSession(session: Session): ActingSession {
  const known = acting.get(session) ?? createActingSession();
  acting.set(session, known);
  return known;
}

function createActingSession(): ActingSession {
  const toolOf = new Map<string, string>();
  const withPage = new Set<string>();
  const limiter: RateLimiter = createRateLimiter(MAX_ACTIONS, ACTIONS_MS);
  let open = 0;
  return {
    told({ id, name }) {
      toolOf.set(id, name);
      for (const oldest of toolOf.keys()) if (toolOf.size > MAX_CALLS) toolOf.delete(oldest);
    },
    pageOpened: (pluginId) => void withPage.add(pluginId),
    hasPageOf: (pluginId) => withPage.has(pluginId),
    otherPages: (pluginId) => [...withPage].filter((id) => id !== pluginId),
    isCallOf: (toolCallId, toolName) => toolOf.get(toolCallId) === toolName,
    admit(action) {
      if (open >= MAX_OPEN || limiter.admit(performance.now()) > 0) return undefined;
      open += 1;
      return action().finally(() => {
        open -= 1;
      });
    },
  };
}
