import type { Session } from '@toolpost/protocol';

/** A question to the session's user: may this call, with these final arguments, run? */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly session: Session;
  readonly plugin: string;
  readonly name: string;
  /** JSON text of the final arguments. Whoever decides sees all of it; in events known secrets are masked. */
  readonly arguments: string;
  readonly reason: string;
  /**
   * What the call would do, in the tool's own words: the diff of an edit, say. Hostile text, and no more to be believed
   * than the plugin is.
   */
  readonly preview?: string;
  /** When the question ends by itself, in ms since 1970. */
  readonly expiresAt?: number;
  /** Whether `always` can be answered. Where it cannot, it counts as `session`. */
  readonly mayBeKept: boolean;
}

/**
 * `once` covers this call, `session` the same call for the rest of the session, `always` also in later sessions of the
 * same user in the same roots. Everything else is a no.
 */
export interface ApprovalAnswer {
  readonly answer: 'once' | 'session' | 'always' | 'no';
  /** Who answered: the user's name, or the front end. */
  readonly by: string;
  /** Why not; reaches the model. */
  readonly reason?: string;
}

/**
 * Asks the session's user, and nobody else (design section 7). A front end that cannot ask gives none, and an
 * unanswered ask is a deny.
 */
export interface Approver {
  (request: ApprovalRequest, abortSignal: AbortSignal | undefined): Promise<ApprovalAnswer>;
  /** After so long the front end answers no by itself; without it the question stands until it is answered. */
  readonly timeoutMs?: number;
}
