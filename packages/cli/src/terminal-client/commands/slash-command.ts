import type { Conversation } from '../../conversation.ts';
import type { Suggestion } from '../input/completer.ts';

export interface CommandScene {
  readonly conversation: Conversation;
  /** Of the terminal. */
  readonly columns: number;
  readonly abortSignal: AbortSignal;
}

/**
 * What came of a command: words for the screen, clean and laid out; another session that is to be shown in the place of
 * the one before; or that the person leaves.
 */
export type CommandOutcome =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'switched'; readonly text: string }
  | { readonly kind: 'leave' };

/** One command of the chat. Help, completion and running go by the same list. */
export interface SlashCommand {
  readonly name: string;
  /** Other names, that the list does not show. */
  readonly aliases?: readonly string[];
  /** As help shows it, such as `[NAME]`; absent for a command that takes none. */
  readonly argument?: string;
  /** Whether it does nothing without its argument. */
  readonly needsArgument?: boolean;
  readonly about: string;
  /** Rejects, with words for a person, when it cannot be done. */
  run(argument: string, scene: CommandScene): Promise<CommandOutcome>;
  /** What the argument may be. */
  suggest?(conversation: Conversation): Promise<readonly Suggestion[]>;
}
