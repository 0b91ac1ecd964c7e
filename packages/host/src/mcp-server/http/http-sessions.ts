import { randomUUID } from 'node:crypto';
import type { Session } from '@toolpost/protocol';
import type { Principal } from '../../server/principal.ts';
import type { McpParts } from '../mcp-parts.ts';
import { createRunningRequests, type RunningRequests } from '../running-requests.ts';
import { clientOf, createSessionState, type SessionState } from '../session-state.ts';
import { LIST_CHANGED, type ListKind, type ListWatch, watchLists } from '../watch-lists.ts';
import { notificationMessage } from '../write-message.ts';
import { type HttpReply, type HttpStream, STREAM_HEADERS } from './http-exchange.ts';
import { createKeptStreams, type KeptStreams } from './kept-streams.ts';

const MAX_SESSIONS = 1000;
const IDLE_MS = 60 * 60_000;
const HEARTBEAT_MS = 15_000;

/** One client of the earlier era, from `initialize` on. */
export interface HttpSession {
  readonly id: string;
  readonly principal: Principal;
  readonly session: Session;
  readonly state: SessionState;
  readonly running: RunningRequests;
  readonly watch: ListWatch;
  /** Those of answers. */
  readonly streams: KeptStreams;
  /** Opens the stream for what belongs to no request, in place of an earlier one. */
  openStream(reply: HttpReply): void;
  close(): void;
}

export interface HttpSessions {
  open(principal: Principal): HttpSession;
  /** Another's session is as unknown as one that never was. */
  find(id: string, principal: Principal): HttpSession | undefined;
  end(session: HttpSession): void;
  close(): void;
}

export interface HttpSessionsParts extends McpParts {
  readonly channel: string;
}

export function createHttpSessions(parts: HttpSessionsParts): HttpSessions {
  const sessions = new Map<string, { readonly session: HttpSession; usedMs: number }>();

  function end({ id }: HttpSession): void {
    sessions.get(id)?.session.close();
    sessions.delete(id);
  }

  /** What nobody used for an hour, and the one that was not used for longest where there are too many. */
  function makeRoom(): void {
    const oldest = performance.now() - IDLE_MS;
    for (const { session, usedMs } of sessions.values())
      if (usedMs < oldest && session.running.size === 0) end(session);
    if (sessions.size < MAX_SESSIONS) return;
    const [first] = [...sessions.values()].sort((a, b) => a.usedMs - b.usedMs);
    if (first) end(first.session);
  }

  return {
    open(principal) {
      makeRoom();
      const session = createHttpSession(parts, principal);
      sessions.set(session.id, { session, usedMs: performance.now() });
      return session;
    },
    find(id, { tenant, user, isOperator }) {
      const found = sessions.get(id);
      if (!found) return undefined;
      const { principal } = found.session;
      if (principal.tenant !== tenant || principal.user !== user || principal.isOperator !== isOperator)
        return undefined;
      found.usedMs = performance.now();
      return found.session;
    },
    end,
    close() {
      for (const { session } of [...sessions.values()]) end(session);
    },
  };
}

function createHttpSession(parts: HttpSessionsParts, principal: Principal): HttpSession {
  const { host, channel } = parts;
  const { tenant, user } = principal;
  const session = host.openSession({ tenant, user, channel });
  const running = createRunningRequests();
  const state = createSessionState();
  const streams = createKeptStreams();
  let stream: HttpStream | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  /** Changes that came while nobody listened. */
  const untold = new Set<ListKind>();

  function tell(kind: ListKind): void {
    if (stream) stream.write(`event: message\ndata: ${notificationMessage(LIST_CHANGED[kind])}\n\n`);
    else untold.add(kind);
  }

  function closeStream(): void {
    clearInterval(heartbeat);
    stream?.end();
    stream = undefined;
  }

  const watch = watchLists(parts, clientOf(session, state), tell);
  return {
    id: randomUUID(),
    ...{ principal, session, state, running, watch, streams },
    openStream(reply) {
      closeStream();
      const own = reply.openStream(200, STREAM_HEADERS);
      stream = own;
      own.write(':\n\n');
      heartbeat = setInterval(() => {
        if (!own.isBehind) own.write(':\n\n');
      }, HEARTBEAT_MS);
      heartbeat.unref();
      reply.onGone(() => {
        if (stream === own) closeStream();
      });
      for (const kind of untold) tell(kind);
      untold.clear();
    },
    close() {
      closeStream();
      watch.close();
      state.requests.close();
      running.cancelAll();
      streams.close();
    },
  };
}
