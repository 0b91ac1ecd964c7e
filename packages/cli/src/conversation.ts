import type { Approver, Ask, PluginReload, ProviderListing, TurnUsage } from '@toolpost/host';
import type { ToolpostEvent } from '@toolpost/protocol';
import type { PluginRow } from './plugin-text.ts';
import type { SessionRow } from './session-columns.ts';
import type { ToolRow } from './tool-columns.ts';
import type { WhyListing } from './why-text.ts';

/**
 * What a chat talks to: a session in this process, or one of a server. The front end is the same. It goes from one session
 * to another without being left. What cannot be done rejects, with words for a person.
 */
export interface Conversation {
  /** Of the session. */
  readonly id: string;
  readonly model: string;
  readonly roots: readonly string[];
  /** Where browsers show it; absent where no server holds it. */
  readonly pageUrl?: string;
  /** The command that goes on with a session, without its id; undefined where sessions cannot be kept. */
  readonly resumeCommand: string | undefined;
  tools(): Promise<readonly ToolRow[]>;
  plugins(): Promise<readonly PluginRow[]>;
  /** Finds plugins that are new, changed or gone. */
  reloadPlugins(): Promise<PluginReload>;
  why(toolName: string): Promise<WhyListing>;
  /** Who provides models, and whether their keys are set. */
  providers(): Promise<readonly ProviderListing[]>;
  /** Another model from the next turn on; it is kept with the session. */
  setModel(model: string): Promise<void>;
  /** Files below the roots whose path holds the text, as a prompt names them; absent where they are another machine's. */
  findFiles?(part: string, options: { limit: number; abortSignal: AbortSignal }): Promise<readonly string[]>;
  /** Goes on in a new session of the same roots. */
  startNew(): Promise<void>;
  /** Goes on in another session: of its id, or of the beginning of one. */
  switchTo(id: string): Promise<void>;
  /** Goes on in a copy of the session; this one stays as it is. */
  fork(): Promise<void>;
  rename(title: string): Promise<void>;
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
  /** Runs the turn of an action that an interface has asked for and the person sends on. */
  sendUiAction(actionId: string, options: ConversationTurn): Promise<EndedTurn>;
  /**
   * Shows what others do in the session, to the end of the turn that runs or is begun next. Undefined when it is left
   * before that, by `abortSignal`, or where nobody else can be seen.
   */
  watch(options: WatchedTurn): Promise<EndedTurn | undefined>;
}

export interface FormerTurns {
  readonly id: string;
  readonly before: number;
  readonly events: Iterable<ToolpostEvent>;
}

export interface ConversationTurn {
  readonly abortSignal: AbortSignal;
  readonly onEvent: (event: ToolpostEvent) => void;
  /** Whether turns of others that end before this one begins are left to them: neither shown nor answered here. */
  readonly isOwnOnly?: boolean;
  /** What a person should know beside the events, as one line. */
  readonly notice: (text: string) => void;
  /** Whether the server answers, where the session is one's; told when it changes. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** Absent where nobody answers: then the answer is no. */
  readonly approve: Approver | undefined;
  readonly ask: Ask | undefined;
  readonly timeoutMs: number | undefined;
}

export interface WatchedTurn extends ConversationTurn {
  /** Leaves the turn, which goes on. */
  readonly abortSignal: AbortSignal;
  /** Told when a turn runs; `cancel` ends it for everybody. */
  onTurn(cancel: () => void): void;
}

export interface EndedTurn {
  readonly reason: string;
  readonly usage: TurnUsage;
  readonly sessionUsage: TurnUsage;
}
