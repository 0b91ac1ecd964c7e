import { createHash } from 'node:crypto';
import type { JsonObject, Session } from '@toolpost/protocol';
import { canonicalJson } from '../registry/canonical-json.ts';
import { definitionHash } from '../registry/definition-hash.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { boundArguments } from './bound-arguments.ts';

/** What an answer was given for. Without `input` it is the tool with any arguments. */
export interface ApprovalSubject {
  /** Whose it is counts too: an embedding program may take a session's id from a client, its user never. */
  readonly session: Pick<Session, 'id' | 'tenant' | 'user'>;
  readonly tool: RegisteredTool;
  /** The final arguments. */
  readonly input?: JsonObject;
}

/** How long a yes holds: for one call, or until the session ends. */
export type ApprovalUse = 'once' | 'session';

/**
 * Yeses of the sessions' users. Each covers one session, plugin and tool definition, and the final arguments it was
 * given for: a call with others, a tool whose description or schema changed, or another plugin's tool of the same name
 * is asked again. Kept in memory; lost ones are asked again too.
 */
export interface Approvals {
  grant(subject: ApprovalSubject, use: ApprovalUse): void;
  /** Whether a yes covers this call. One that was given for one call is used up by this. */
  take(call: Required<ApprovalSubject>): boolean;
  forgetSession(sessionId: string): void;
}

/** Beyond these the oldest are forgotten, which only asks again. */
const MAX_SESSIONS = 10_000;
const MAX_FOR_SESSION = 1000;

export function createApprovals(): Approvals {
  const sessions = new Map<string, Map<string, ApprovalUse>>();
  return {
    grant(subject, use) {
      const granted = sessions.get(subject.session.id) ?? new Map<string, ApprovalUse>();
      // Written again, so that the oldest is the one that was not used for longest.
      sessions.delete(subject.session.id);
      sessions.set(subject.session.id, granted);
      const key = keyOf(subject);
      if (granted.get(key) !== 'session') granted.set(key, use);
      dropOldest(granted, MAX_FOR_SESSION);
      dropOldest(sessions, MAX_SESSIONS);
    },
    take(call) {
      const granted = sessions.get(call.session.id);
      if (!granted) return false;
      const { input: _, ...anyArguments } = call;
      return use(granted, keyOf(call)) || use(granted, keyOf(anyArguments));
    },
    forgetSession(sessionId) {
      sessions.delete(sessionId);
    },
  };
}

function use(granted: Map<string, ApprovalUse>, key: string): boolean {
  const found = granted.get(key);
  if (found === 'once') granted.delete(key);
  return found !== undefined;
}

function keyOf({ session, tool, input }: ApprovalSubject): string {
  const who = JSON.stringify([session.tenant, session.user]);
  const bound = input && canonicalJson(boundArguments(tool, input));
  const args = bound === undefined ? '*' : createHash('sha256').update(bound).digest('hex');
  return `${who} ${tool.plugin.id} ${definitionHash(tool.definition)} ${args}`;
}

function dropOldest(kept: Map<string, unknown>, max: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= max) return;
    kept.delete(key);
  }
}
