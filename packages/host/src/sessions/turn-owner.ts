import { randomUUID } from 'node:crypto';
import { identify, isRunning, type ProcessIdentity, pidSpace } from '../processes/process-identity.ts';

/** A process in another container cannot be looked for; so long after its last event it is taken for dead. */
const FOREIGN_SILENCE_MS = 15 * 60_000;

/** Which store of which process has a session's turn, as text in its row. */
export interface TurnOwner {
  readonly text: string;
  /** Whether the owner that such a text names still runs. Its session was last changed at `updatedAt`. */
  isRunning(text: string, updatedAt: number): boolean;
  /** The process of the owner that such a text names. */
  pidOf(text: string): number;
}

interface Claim extends ProcessIdentity {
  readonly store: string;
  readonly boot: string;
  readonly namespace: string;
}

export function createTurnOwner(): TurnOwner {
  const space = pidSpace();
  const own: Claim = {
    ...(identify(process.pid) ?? { pid: process.pid, startTime: 0 }),
    ...space,
    store: randomUUID(),
  };
  return {
    text: JSON.stringify(own),
    isRunning(text, updatedAt) {
      const claim: Claim = JSON.parse(text);
      if (claim.boot !== space.boot) return false;
      if (claim.namespace !== space.namespace) return Date.now() - updatedAt < FOREIGN_SILENCE_MS;
      return isRunning(claim);
    },
    pidOf: (text) => (JSON.parse(text) as Claim).pid,
  };
}
