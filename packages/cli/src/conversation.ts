import type { Approver, Ask, TurnUsage } from '@toolpost/host';
import type { ToolpostEvent } from '@toolpost/protocol';
import type { SessionRow } from './session-columns.ts';
import type { ToolRow } from './tool-columns.ts';

/** What a chat talks to: a session in this process, or one of a server. The front end is the same. */
export interface Conversation {
  readonly model: string;
  readonly roots: readonly string[];
  /** The command that goes on with a session, without its id. */
  readonly resumeCommand: string;
  tools(): Promise<readonly ToolRow[]>;
  /** The latest sessions of whoever talks. */
  latest(limit: number): Promise<readonly SessionRow[]>;
  /** The events of the last turns, and how many turns stand before them. */
  formerTurns(count: number): Promise<FormerTurns>;
  /** Forgets the conversation for the model. */
  clear(): Promise<void>;
  /** Puts a summary in place of the conversation; resolves with why not when none came of it. */
  compact(abortSignal: AbortSignal): Promise<string | undefined>;
  /** Runs one turn to its end. */
  turn(text: string, options: ConversationTurn): Promise<EndedTurn>;
  /** Shows a turn that runs already, to its end; undefined when none does. */
  joinRunning(options: ConversationTurn): Promise<EndedTurn | undefined>;
}

export interface FormerTurns {
  readonly id: string;
  readonly before: number;
  readonly events: Iterable<ToolpostEvent>;
}

export interface ConversationTurn {
  readonly abortSignal: AbortSignal;
  readonly onEvent: (event: ToolpostEvent) => void;
  /** What a person should know beside the events, as one line. */
  readonly notice: (text: string) => void;
  /** Whether the server answers, where the session is one's; told when it changes. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** Absent where nobody answers: then the answer is no. */
  readonly approve: Approver | undefined;
  readonly ask: Ask | undefined;
  readonly timeoutMs: number | undefined;
}

export interface EndedTurn {
  readonly reason: string;
  readonly usage: TurnUsage;
  readonly sessionUsage: TurnUsage;
}
