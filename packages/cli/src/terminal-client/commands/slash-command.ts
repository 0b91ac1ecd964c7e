import type { Conversation } from '../../conversation.ts';
import type { Suggestion } from '../input/completer.ts';

export interface CommandScene {
  readonly conversation: Conversation;
  /** Columns for what is said. */
  readonly width: number;
  readonly abortSignal: AbortSignal;
  /** What interfaces have asked for and can be sent on, the newest last. */
  waitingActions(): readonly WaitingAction[];
}

export interface WaitingAction {
  readonly actionId: string;
  /** As it stands on the screen. */
  readonly number: number;
}

/**
 * What came of a command: words for the screen, clean and laid out; another session that is to be shown in the place of
 * the one before; that an action is sent on as a turn; or that the person leaves.
 */
export type CommandOutcome =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'switched'; readonly text: string }
  | { readonly kind: 'send'; readonly actionId: string }
  | { readonly kind: 'leave' };

/** One command of the chat. Help, completion and running go by the same list. */
export interface SlashCommand {
  readonly name: string;
  /** Another name, that is understood and not listed. */
  readonly alias?: string;
  /** As help shows it: `TOOL` for one that is needed, `[NAME]` for one that may be left out; absent for none. */
  readonly argument?: string;
  readonly about: string;
  /** `argument` is empty where none was given. Rejects, with words for a person, when it cannot be done. */
  run(argument: string, scene: CommandScene): Promise<CommandOutcome>;
  /** What the argument may be. */
  suggest?(conversation: Conversation): Promise<readonly Suggestion[]>;
}

/** Words of the client itself, or that were cleaned before. */
export function said(text: string): CommandOutcome {
  return { kind: 'said', text: text.trimEnd() };
}
