import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnUsage } from '@toolpost/host';
import { ApiError, type ToolpostEvent } from '@toolpost/protocol';
import type { ConversationTurn, EndedTurn, WatchedTurn } from '../conversation.ts';
import { createRemoteQuestions, type RemoteQuestions } from './remote-questions.ts';
import type { ServerAccess } from './server-access.ts';

/** How often it is looked whether a turn that has not begun is still to come. */
const LOOK_MS = 5000;
/** A server that was started again has listened for some moments before its new token is in the file. */
const TOKEN_ATTEMPTS = 20;
const TOKEN_RETRY_MS = 250;
const NO_USAGE: TurnUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** A session of a server, and how far its log was shown here. */
export interface RemoteSession {
  readonly server: ServerAccess;
  readonly id: string;
  epoch: string;
  /** The number of the last event that was shown. */
  seq: number;
  /** Whether a turn runs whose beginning was shown. */
  isTurnOpen: boolean;
  isConnected: boolean;
}

/** What is asked for: a text, or an action of an interface that is sent on; absent to follow what others do. */
export type Prompt = { readonly text: string; readonly model: string | undefined } | { readonly actionId: string };

/**
 * One turn of a session at a server, as it is seen here: through cuts and restarts of the server every event is given
 * once. A turn that was lost before it began is asked for again.
 */
export class RemoteTurn {
  readonly #session: RemoteSession;
  readonly #prompt: Prompt | undefined;
  readonly #options: ConversationTurn;
  readonly #questions: RemoteQuestions;
  readonly #turnId = randomUUID();
  readonly #end = new AbortController();
  #hasBegun: boolean;
  /** Since the server took it, the connection was cut: it may be gone. */
  #mayBeLost = false;
  #onTurn: (() => void) | undefined;
  #reason: string | undefined;
  #usage = NO_USAGE;
  #failure: Error | undefined;

  constructor(session: RemoteSession, prompt: Prompt | undefined, options: ConversationTurn) {
    this.#session = session;
    this.#prompt = prompt;
    this.#options = options;
    this.#hasBegun = prompt === undefined && session.isTurnOpen;
    this.#questions = createRemoteQuestions(session.server.client, session.id, options);
  }

  /** @throws ApiError for what the server refuses. */
  async run(): Promise<EndedTurn> {
    const { abortSignal } = this.#options;
    const onAbort = () => void this.#cancel();
    abortSignal.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#post();
      if (this.#session.isTurnOpen && this.#isLeftToOthers)
        this.#options.notice('another turn of this session runs: this one waits for its end');
      if (abortSignal.aborted) onAbort();
      await this.#followToEnd();
      return await this.#ended(this.#reason ?? 'error');
    } finally {
      abortSignal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Shows the turn of others that runs, or is begun next, to its end; undefined when it is left before.
   * @throws ApiError for what the server refuses.
   */
  async watch({ abortSignal, onTurn }: WatchedTurn): Promise<EndedTurn | undefined> {
    this.#onTurn = () => onTurn(() => void this.#cancel());
    const leave = () => this.#end.abort();
    abortSignal.addEventListener('abort', leave, { once: true });
    try {
      if (abortSignal.aborted) return undefined;
      if (this.#hasBegun) this.#onTurn();
      await this.#followToEnd();
      return this.#reason === undefined ? undefined : await this.#ended(this.#reason);
    } finally {
      abortSignal.removeEventListener('abort', leave);
    }
  }

  async #followToEnd(): Promise<void> {
    const looking = setInterval(() => {
      if (this.#prompt || this.#hasBegun) void this.#lookAround();
    }, LOOK_MS);
    try {
      await this.#follow();
      if (this.#failure) throw this.#failure;
    } finally {
      clearInterval(looking);
      this.#questions.close();
    }
  }

  async #ended(reason: string): Promise<EndedTurn> {
    return { reason, usage: this.#usage, sessionUsage: await this.#sessionUsage() };
  }

  async #post(): Promise<void> {
    if (!this.#prompt) return;
    try {
      await this.#send(this.#prompt);
      this.#mayBeLost = false;
    } catch (error) {
      // Whether it was taken, the log says once the server answers again.
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
      this.#mayBeLost = true;
    }
  }

  async #send(prompt: Prompt): Promise<void> {
    const { id } = this.#session;
    const { timeoutMs } = this.#options;
    if ('actionId' in prompt) await this.#client.sendUiAction(id, prompt.actionId);
    else
      await this.#client.postMessage(id, {
        ...{ text: prompt.text, turnId: this.#turnId },
        ...(prompt.model !== undefined && { model: prompt.model }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
  }

  get #client() {
    return this.#session.server.client;
  }

  async #follow(): Promise<void> {
    for (let attempt = 1; !this.#end.signal.aborted; attempt++) {
      const { id: sessionId, epoch, seq } = this.#session;
      try {
        await this.#client.follow({
          ...{ sessionId, position: `${epoch}:${seq}`, signal: this.#end.signal },
          onEvent: (event) => this.#take(event),
          onReset: () => this.#reset(),
          onConnection: ({ isConnected }) => this.#connection(isConnected),
        });
      } catch (error) {
        if (!this.#mayHaveNewToken(error) || attempt > TOKEN_ATTEMPTS) throw error;
        await sleep(TOKEN_RETRY_MS);
      }
    }
  }

  /** Another log stands in the place of the one that was shown. */
  #reset(): void {
    this.#session.seq = 0;
  }

  #mayHaveNewToken(error: unknown): boolean {
    return this.#session.server.renewsToken && error instanceof ApiError && error.status === 401;
  }

  #take(event: ToolpostEvent): void {
    // What came in one piece with the end is of the next turn, and is read again there.
    if (this.#end.signal.aborted) return;
    this.#session.seq = event.seq;
    if (event.type === 'turn-start') this.#begin(event);
    if (event.type === 'usage' && this.#hasBegun) this.#usage = event;
    if (!this.#isLeftToOthers) {
      this.#options.onEvent(event);
      this.#questions.take(event);
    }
    if (event.type !== 'turn-end' && event.type !== 'turn-error') return;
    this.#session.isTurnOpen = false;
    if (this.#hasBegun) this.#finish(event.type === 'turn-end' ? event.reason : 'error');
  }

  /** Whether what happens now is none of this turn, and of no concern here. */
  get #isLeftToOthers(): boolean {
    return this.#options.isOwnOnly === true && !this.#hasBegun;
  }

  #begin(start: Extract<ToolpostEvent, { type: 'turn-start' }>): void {
    this.#session.isTurnOpen = true;
    if (this.#isAskedFor(start)) {
      this.#hasBegun = true;
      this.#onTurn?.();
    } else this.#options.notice(`asked elsewhere: ${start.text}`);
  }

  #isAskedFor({ turnId, uiAction }: Extract<ToolpostEvent, { type: 'turn-start' }>): boolean {
    if (!this.#prompt) return true;
    return 'actionId' in this.#prompt ? uiAction?.actionId === this.#prompt.actionId : turnId === this.#turnId;
  }

  #finish(reason: string): void {
    this.#reason = reason;
    this.#end.abort();
  }

  #connection(isConnected: boolean): void {
    if (isConnected !== this.#session.isConnected) {
      this.#options.notice(isConnected ? 'connected again' : 'the connection is lost; trying again');
      this.#options.onConnection?.(isConnected);
    }
    this.#session.isConnected = isConnected;
    if (isConnected) void this.#lookAround();
    else this.#mayBeLost = true;
  }

  /** Asks what waits for an answer, and asks for the turn again where the server knows nothing of it. */
  async #lookAround(): Promise<void> {
    try {
      // Every question of a turn that began here comes as an event: what else is open is for others to answer.
      if (this.#options.isOwnOnly !== true) await this.#questions.takeOpen();
      if (this.#hasBegun || !this.#prompt) return;
      const { openTurns, isRunning, lastSeq, position } = await this.#client.getSession(this.#session.id);
      this.#session.epoch = position.slice(0, position.lastIndexOf(':'));
      const isKnown = openTurns > 0 || isRunning || lastSeq > this.#session.seq;
      if (isKnown || this.#hasBegun || this.#end.signal.aborted) return;
      if (!this.#mayBeLost) throw new Error('the server could not run this turn: its log says why');
      await this.#post();
    } catch (error) {
      if (error instanceof ApiError && (error.isPassing || error.status === 401)) return;
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#end.abort();
    }
  }

  async #cancel(): Promise<void> {
    try {
      const cancelled = await this.#client.cancel(this.#session.id);
      if (cancelled === 0 && !this.#hasBegun) this.#finish('cancelled');
    } catch {
      this.#options.notice('the server does not answer: what it does may go on there');
      this.#finish('cancelled');
    }
  }

  async #sessionUsage(): Promise<TurnUsage> {
    try {
      return (await this.#client.getSession(this.#session.id)).usage;
    } catch {
      return this.#usage;
    }
  }
}
