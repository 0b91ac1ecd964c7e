import type { TurnUsage } from '@toolpost/host';
import type { Conversation, ConversationTurn, EndedTurn } from '../conversation.ts';
import { createFrames } from './frames.ts';
import { createQuestionDesk, type QuestionDesk } from './questions/question-desk.ts';
import { createTranscript, type Transcript } from './transcript/transcript.ts';

/** A chat at a terminal: what was said, what runs, what waits. What is drawn is somebody else's. */
export interface ChatClient {
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  readonly questions: QuestionDesk;
  readonly state: ChatState;
  /** Listeners are told at most once a frame. */
  subscribe(listener: () => void): () => void;
  /** Grows with each change that was told. */
  readonly frame: number;
  /** Runs a line: a command of the chat or a prompt, now or after what runs. */
  send(text: string): void;
  /** Ctrl-C: cancels what runs; with nothing running the second one leaves. */
  interrupt(): void;
  /** Esc: cancels what runs, and no more. */
  cancel(): void;
  leave(): void;
  /** Resolves when the person has left and nothing runs any more. */
  readonly left: Promise<void>;
}

export interface ChatState {
  readonly isBusy: boolean;
  /** Lines that wait for the end of what runs. */
  readonly queued: readonly string[];
  readonly usage: { readonly turn: TurnUsage; readonly session: TurnUsage } | undefined;
  readonly isConnected: boolean;
  readonly sessionId: string;
  /** Whether the next Ctrl-C leaves. */
  readonly isLeaving: boolean;
}

export interface ChatClientOptions {
  readonly conversation: Conversation;
  readonly timeoutMs: number | undefined;
  /** Runs a line that is a command of the chat; undefined for what goes to the model. */
  runCommand(text: string, client: TerminalChat, abortSignal: AbortSignal): Promise<{ leaves: boolean } | undefined>;
}

/** How long the first Ctrl-C at an empty prompt counts. */
const LEAVE_WITHIN_MS = 3000;

export class TerminalChat implements ChatClient {
  readonly transcript = createTranscript();
  readonly questions = createQuestionDesk((text) => this.#note('info', text));
  readonly #options: ChatClientOptions;
  readonly #frames = createFrames();
  readonly #ending = new AbortController();
  readonly #left = Promise.withResolvers<void>();
  #running: AbortController | undefined;
  #leavingTimer: NodeJS.Timeout | undefined;
  state: ChatState = {
    ...{ isBusy: false, queued: [], usage: undefined, isConnected: true, sessionId: '', isLeaving: false },
  };

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.questions.subscribe(() => this.#frames.changed());
  }

  get conversation(): Conversation {
    return this.#options.conversation;
  }

  get frame(): number {
    return this.#frames.count;
  }

  get left(): Promise<void> {
    return this.#left.promise;
  }

  readonly subscribe = (listener: () => void) => this.#frames.subscribe(listener);

  /** Shows what runs already in the session. */
  joinRunning(): void {
    void this.#workOff(() => this.#run((turn) => this.conversation.joinRunning(turn)));
  }

  /** Shows what was said and done before. */
  async showFormerTurns(count: number): Promise<void> {
    const { id, before, events } = await this.conversation.formerTurns(count);
    this.#change({ sessionId: id });
    if (before > 0) this.#note('info', `${before} earlier turns: toolpost sessions show ${id}`);
    for (const event of events) this.transcript.take(event);
    this.#frames.changed();
  }

  send(text: string): void {
    if (this.#ending.signal.aborted || text.trim() === '') return;
    this.#change({ queued: [...this.state.queued, text], isLeaving: false });
    void this.#workOff();
  }

  /** Shows what a command says. */
  say(text: string): void {
    this.transcript.say(text);
    this.#frames.changed();
  }

  interrupt(): void {
    if (this.state.isBusy) this.cancel();
    else if (this.state.isLeaving) this.leave();
    else this.#warnOfLeaving();
  }

  #warnOfLeaving(): void {
    this.#change({ isLeaving: true });
    clearTimeout(this.#leavingTimer);
    this.#leavingTimer = setTimeout(() => this.#change({ isLeaving: false }), LEAVE_WITHIN_MS);
  }

  cancel(): void {
    this.#running?.abort();
  }

  leave(): void {
    clearTimeout(this.#leavingTimer);
    this.#ending.abort();
    this.#running?.abort();
    if (!this.state.isBusy) this.#left.resolve();
  }

  /** Does `first`, and then in its order what was typed meanwhile. */
  async #workOff(first?: () => Promise<void>): Promise<void> {
    if (this.state.isBusy) return;
    this.#change({ isBusy: true });
    await first?.();
    while (!this.#ending.signal.aborted) {
      const [text, ...queued] = this.state.queued;
      if (text === undefined) break;
      this.#change({ queued });
      await this.#runLine(text.trim());
    }
    this.#change({ isBusy: false });
    if (this.#ending.signal.aborted) this.#left.resolve();
  }

  async #runLine(text: string): Promise<void> {
    const command = await this.#cancellable((signal) => this.#options.runCommand(text, this, signal));
    if (command?.leaves) this.leave();
    else if (!command) await this.#run((turn) => this.conversation.turn(text, turn));
  }

  async #run(run: (turn: ConversationTurn) => Promise<EndedTurn | undefined>): Promise<void> {
    const ended = await this.#cancellable((abortSignal) =>
      run({
        abortSignal,
        timeoutMs: this.#options.timeoutMs,
        onEvent: (event) => {
          this.transcript.take(event);
          this.#frames.changed();
        },
        notice: (text) => this.#note('warning', text),
        onConnection: (isConnected) => this.#change({ isConnected }),
        approve: this.questions.approve,
        ask: this.questions.ask,
      }),
    );
    if (ended) this.#change({ usage: { turn: ended.usage, session: ended.sessionUsage } });
  }

  /** Whatever fails is said; the chat goes on. */
  async #cancellable<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const controller = new AbortController();
    this.#running = controller;
    if (this.#ending.signal.aborted) controller.abort();
    try {
      return await work(controller.signal);
    } catch (error) {
      this.#note('error', error instanceof Error ? error.message : String(error));
      return undefined;
    } finally {
      this.#running = undefined;
    }
  }

  #note(tone: 'info' | 'warning' | 'error', text: string): void {
    this.transcript.note(tone, text);
    this.#frames.changed();
  }

  #change(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    this.#frames.changed();
  }
}
