import type { TurnUsage } from '@toolpost/host';
import { messageOf } from '@toolpost/protocol';
import type { Conversation, ConversationTurn, EndedTurn } from '../conversation.ts';
import { createFrames } from './frames.ts';
import { createLineRunner, type LineRunner } from './line-runner.ts';
import { createOthersTurns } from './others-turns.ts';
import { createQuestionDesk } from './questions/question-desk.ts';
import { createTranscript } from './transcript/transcript.ts';

/** How a chat stands. It is replaced when it changes. */
export interface ChatState {
  readonly isBusy: boolean;
  /** Lines that wait for the end of what runs. */
  readonly queued: readonly string[];
  /** Tokens of the last turn and of the session. */
  readonly usage: { readonly turn: TurnUsage; readonly session: TurnUsage } | undefined;
  readonly isConnected: boolean;
  /** How many there are, and the ids of those that are broken; undefined before it is known. */
  readonly plugins: { readonly count: number; readonly failing: readonly string[] } | undefined;
  /** Whether the next Ctrl-C leaves. */
  readonly isLeaving: boolean;
}

export interface ChatClientOptions {
  readonly conversation: Conversation;
  readonly timeoutMs: number | undefined;
  /** Columns of the screen, for what commands say. */
  columns(): number;
}

/** Turns of a conversation that is gone on with, as they are shown again. */
const SHOWN_TURNS = 10;
/** How long the first Ctrl-C at an empty prompt counts. */
const LEAVE_WITHIN_MS = 3000;

/** A chat at a terminal: what was said, what runs, what waits. What is drawn is somebody else's. */
export class ChatClient {
  readonly transcript = createTranscript();
  readonly questions = createQuestionDesk((text) => this.#note('info', text));
  readonly #options: ChatClientOptions;
  readonly #frames = createFrames();
  readonly #ending = new AbortController();
  readonly #left = Promise.withResolvers<void>();
  readonly #others = createOthersTurns({
    watch: (options) => this.conversation.watch({ ...options, ...this.#turnOf(options.abortSignal) }),
    onBegin: () => this.#change({ isBusy: true }),
    onEnd: (ended) => this.#endOfOthers(ended),
    onError: (error) => this.#failed(error),
  });
  readonly #lines: LineRunner;
  #leavingTimer: NodeJS.Timeout | undefined;
  #state: ChatState = {
    ...{ isBusy: false, queued: [], usage: undefined, isConnected: true, plugins: undefined, isLeaving: false },
  };

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.#lines = createLineRunner({
      ...{ conversation: options.conversation, transcript: this.transcript, ending: this.ending },
      columns: () => options.columns(),
      turnOf: (abortSignal) => this.#turnOf(abortSignal),
      say: (text) => this.#say(text),
      onEnded: (ended) => this.#showUsage(ended),
      onSwitched: () => this.#switched(),
      showSession: () => this.#showFormerTurns(),
      onLeave: () => this.leave(),
      onFailure: (error) => this.#failed(error),
    });
    this.questions.subscribe(() => this.#frames.changed());
  }

  get conversation(): Conversation {
    return this.#options.conversation;
  }

  get state(): ChatState {
    return this.#state;
  }

  /** Grows with each change that listeners were told of. */
  get frame(): number {
    return this.#frames.count;
  }

  /** Resolves when the person has left and nothing runs any more. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** Aborts when the person leaves: what still runs is being cancelled. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Listeners are told at most once a frame. */
  readonly subscribe = (listener: () => void) => this.#frames.subscribe(listener);

  /** Shows what was said and done before in the session, and then what runs there already. */
  async open(): Promise<void> {
    await Promise.all([this.#showFormerTurns(), this.#lookAtPlugins()]);
    void this.#workOff();
  }

  /** Runs a line: a command of the chat or a prompt, now or after what runs. */
  send(text: string): void {
    if (this.#ending.signal.aborted || text.trim() === '') return;
    this.#change({ queued: [...this.#state.queued, text], isLeaving: false });
    void this.#workOff();
  }

  /** Ctrl-C: cancels what runs; with nothing running the second one leaves. */
  interrupt(): void {
    if (this.#state.isBusy) this.cancel();
    else if (this.#state.isLeaving) this.leave();
    else this.#warnOfLeaving();
  }

  /** Esc: cancels what runs, and no more. */
  cancel(): void {
    this.#lines.cancel();
    this.#others.cancel();
  }

  /** Shows what was written to the terminal of this process beside the chat. */
  printed(text: string): void {
    const warning = /^toolpost: warning: (.*)$/s.exec(text)?.[1];
    this.#note(warning === undefined ? 'info' : 'warning', warning ?? text);
  }

  leave(): void {
    clearTimeout(this.#leavingTimer);
    this.#ending.abort();
    this.#lines.cancel();
    void this.#others.stop();
    if (!this.#state.isBusy) this.#left.resolve();
  }

  #warnOfLeaving(): void {
    this.#change({ isLeaving: true });
    clearTimeout(this.#leavingTimer);
    this.#leavingTimer = setTimeout(() => this.#change({ isLeaving: false }), LEAVE_WITHIN_MS);
  }

  /** Does in its order what was typed, and then looks on. */
  async #workOff(): Promise<void> {
    if (this.#state.isBusy) return;
    this.#change({ isBusy: true });
    await this.#others.stop();
    while (!this.#ending.signal.aborted) {
      const [text, ...queued] = this.#state.queued;
      if (text === undefined) break;
      this.#change({ queued });
      await this.#lines.run(text.trim());
      if (!this.#ending.signal.aborted) void this.#lookAtPlugins();
    }
    this.#change({ isBusy: false });
    if (this.#ending.signal.aborted) this.#left.resolve();
    else this.#others.watch();
  }

  /** What was typed meanwhile is next. */
  #endOfOthers(ended: EndedTurn | undefined): void {
    if (ended) this.#showUsage(ended);
    this.#change({ isBusy: false });
    void this.#workOff();
  }

  /** What was printed of the session before stays where it is. */
  #switched(): void {
    this.transcript.reset();
    this.#change({ usage: undefined });
  }

  #turnOf(abortSignal: AbortSignal): ConversationTurn {
    return {
      abortSignal,
      timeoutMs: this.#options.timeoutMs,
      onEvent: (event) => {
        this.transcript.take(event);
        if (event.type === 'plugin-state') void this.#lookAtPlugins();
        this.#frames.changed();
      },
      notice: (text) => this.#note('warning', text),
      onConnection: (isConnected) => this.#change({ isConnected }),
      approve: this.questions.approve,
      ask: this.questions.ask,
    };
  }

  #showUsage({ usage, sessionUsage }: EndedTurn): void {
    this.#change({ usage: { turn: usage, session: sessionUsage } });
  }

  async #showFormerTurns(): Promise<void> {
    const { id, before, events } = await this.conversation.formerTurns(SHOWN_TURNS);
    if (before > 0) this.#note('info', `${before} earlier turns: toolpost sessions show ${id}`);
    for (const event of events) this.transcript.take(event, { isFormer: true });
    this.#frames.changed();
  }

  /** A status that cannot be had says nothing. */
  async #lookAtPlugins(): Promise<void> {
    const rows = await this.conversation.plugins().catch(() => undefined);
    if (!rows) return;
    const failing = rows.filter(({ state }) => state === 'error').map(({ id }) => id);
    const count = rows.filter(({ state }) => state !== 'inactive').length;
    this.#change({ plugins: { count, failing } });
  }

  #failed(error: unknown): void {
    this.#note('error', messageOf(error));
  }

  #say(text: string): void {
    this.transcript.say(text);
    this.#frames.changed();
  }

  #note(tone: 'info' | 'warning' | 'error', text: string): void {
    this.transcript.note(tone, text);
    this.#frames.changed();
  }

  #change(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    this.#frames.changed();
  }
}
