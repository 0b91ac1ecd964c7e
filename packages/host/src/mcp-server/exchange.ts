import type { Session } from '@toolpost/protocol';
import type { InputQuestion } from './input-questions.ts';
import type { ClientCapabilities, Era } from './protocol-era.ts';

/** What the handling of one request has of its client. */
export interface Exchange {
  readonly era: Era;
  readonly session: Session;
  readonly capabilities: ClientCapabilities;
  /** The least severe level of log messages that the client wants; undefined for none. */
  readonly logLevel: string | undefined;
  /** Aborts when the client cancels the request, or is gone. */
  readonly abortSignal: AbortSignal;
  /** Sends a notification ahead of the answer. */
  notify(message: string): void;
  /** Whether the client is behind with reading: what can be left out or merged then should be. */
  readonly isBehind: boolean;
  /** Calls `listener` once when the client has caught up. */
  onCaughtUp(listener: () => void): void;
  /**
   * Asks the client, and waits for its answer.
   * @throws MissingCapability where it cannot be asked, Error when it refuses or is gone.
   */
  ask(question: InputQuestion): Promise<Readonly<Record<string, unknown>>>;
}
