import type { Conversation, ConversationTurn, EndedTurn } from '../conversation.ts';
import { runSlashCommand } from './commands/run-slash-command.ts';
import type { CommandOutcome } from './commands/slash-command.ts';
import type { Transcript } from './transcript/transcript.ts';

/** Does what a person has typed, a line at a time: a command of the chat, else a prompt. */
export interface LineRunner {
  /** Resolves when it is done. Never rejects: whatever fails is said, and the chat goes on. */
  run(line: string): Promise<void>;
  /** Cancels what runs. */
  cancel(): void;
}

export interface LineScene {
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  /** Aborts when the person leaves. */
  readonly ending: AbortSignal;
  /** Columns of the screen, for what commands say. */
  columns(): number;
  turnOf(abortSignal: AbortSignal): ConversationTurn;
  say(text: string): void;
  onEnded(ended: EndedTurn): void;
  /** Another session is shown from here on. */
  onSwitched(): void;
  /** Shows what was said and done in it. */
  showSession(): Promise<void>;
  onLeave(): void;
  onFailure(error: unknown): void;
}

export function createLineRunner(scene: LineScene): LineRunner {
  const { conversation, transcript, ending } = scene;
  let running: AbortController | undefined;

  async function cancellable<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const controller = new AbortController();
    running = controller;
    if (ending.aborted) controller.abort();
    try {
      return await work(controller.signal);
    } catch (error) {
      scene.onFailure(error);
      return undefined;
    } finally {
      running = undefined;
    }
  }

  /** Resolves with undefined for what goes to the model. */
  async function runCommand(text: string, abortSignal: AbortSignal): Promise<CommandOutcome | undefined> {
    const { waitingActions } = transcript;
    const around = { conversation, width: scene.columns() - 1, abortSignal, waitingActions };
    // The line stands above what it came to, also where that is a failure.
    const outcome = await runSlashCommand(text, around).catch((error: unknown) => {
      transcript.echo(text);
      throw error;
    });
    if (!outcome) return undefined;
    if (outcome.kind === 'switched') scene.onSwitched();
    // The turn of an action says itself what it is.
    if (outcome.kind !== 'send') transcript.echo(text);
    if (outcome.kind === 'said' || outcome.kind === 'switched') scene.say(outcome.text);
    if (outcome.kind === 'leave') scene.onLeave();
    if (outcome.kind === 'switched') await scene.showSession();
    return outcome;
  }

  /** Where no turn could begin, what was written stands above the reason. */
  async function runTurn(text: string, turn: () => Promise<EndedTurn>): Promise<EndedTurn> {
    const { length } = transcript.entries;
    try {
      return await turn();
    } catch (error) {
      const since = transcript.entries.slice(length);
      if (!since.some(({ kind }) => kind === 'prompt')) transcript.echo(text);
      throw error;
    }
  }

  async function runLine(text: string, abortSignal: AbortSignal): Promise<void> {
    const outcome = await runCommand(text, abortSignal);
    if (outcome && outcome.kind !== 'send') return;
    const turn = scene.turnOf(abortSignal);
    const ended = await runTurn(text, () =>
      outcome ? conversation.sendUiAction(outcome.actionId, turn) : conversation.turn(text, turn),
    );
    scene.onEnded(ended);
  }

  return {
    run: (line) => cancellable((abortSignal) => runLine(line, abortSignal)),
    cancel: () => running?.abort(),
  };
}
