import { type ApprovedCall, approvalKey } from './approval-key.ts';

/**
 * Yeses for the rest of a session. Each covers the very call that it was given for: one with other arguments, of a tool
 * whose description or schema changed, or of another plugin is asked about again. Kept in memory; lost ones are asked
 * about again too.
 */
export interface Approvals {
  grant(call: ApprovedCall): void;
  covers(call: ApprovedCall): boolean;
}

/** Beyond these the oldest are forgotten, which only asks again. */
const MAX_SESSIONS = 10_000;
const MAX_FOR_SESSION = 1000;

export function createApprovals(): Approvals {
  const sessions = new Map<string, Set<string>>();
  return {
    grant(call) {
      const { id } = call.session;
      const granted = sessions.get(id) ?? new Set<string>();
      // Written again, so that the oldest is the one that was not used for longest.
      sessions.delete(id);
      sessions.set(id, granted);
      granted.add(approvalKey(call));
      dropOldest(granted, MAX_FOR_SESSION);
      dropOldest(sessions, MAX_SESSIONS);
    },
    covers(call) {
      return sessions.get(call.session.id)?.has(approvalKey(call)) === true;
    },
  };
}

function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= max) return;
    kept.delete(key);
  }
}
