import type { Session } from '@toolpost/protocol';

/** A question to the session's user: may this call, with these final arguments, run? */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly session: Session;
  readonly plugin: string;
  readonly name: string;
  /** JSON text of the final arguments. */
  readonly arguments: string;
  readonly reason: string;
}

/** `once` covers this call, `session` the same call for the rest of the session. */
export interface ApprovalAnswer {
  readonly answer: 'once' | 'session' | 'no';
  /** Who answered: the user's name, or the front end. */
  readonly by: string;
  /** Why not; reaches the model. */
  readonly reason?: string;
}

/**
 * Asks the session's user, and nobody else (design section 7). A front end that cannot ask gives none, and an
 * unanswered ask is a deny.
 */
export type Approver = (request: ApprovalRequest, abortSignal: AbortSignal | undefined) => Promise<ApprovalAnswer>;
