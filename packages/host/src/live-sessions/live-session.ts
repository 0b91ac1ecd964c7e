import type { EventBody, HandledUiAction, JsonObject, Session, ToolpostEvent, UiOrigin } from '@toolpost/protocol';
import type { HistoryMessage } from '../agent/history.ts';
import type { TurnResult } from '../agent/run-turn.ts';
import type { ApprovalAnswer, Approver } from '../call-path/approver.ts';
import type { Ask } from '../call-path/ask-form.ts';
import type { EventPage, SessionUsage } from '../sessions/session-store.ts';
import type { AppRequest } from './app-requests.ts';
import type { GivenUiAction, UiActionMessage } from './ui-actions.ts';

export interface LiveTurnOptions {
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * Answers permission questions at once, as a terminal does. `clients`: they wait for `answerApproval`. Absent, an
   * unanswered one is a deny.
   */
  readonly approve?: Approver | 'clients' | undefined;
  /** Answers forms of tools at once; `clients`: they wait for `answerForm`. Absent, each is cancelled. */
  readonly ask?: Ask | 'clients' | undefined;
  /** Shortens the limit of each call, in ms. */
  readonly timeoutMs?: number | undefined;
  /** A model specification for this turn and those after it. */
  readonly model?: string | undefined;
  /** What a client calls this turn: it stands in the `turn-start` event. */
  readonly turnId?: string | undefined;
  /** The text is what an interface said, by `takeUiAction`: no yes that was given before counts in this turn. */
  readonly uiAction?: UiOrigin | undefined;
}

/** A question that waits for the session's user: the body of its `approval-request` event. */
export type PendingApproval = Omit<Extract<EventBody, { type: 'approval-request' }>, 'type'>;

/** A tool's form that waits for the session's user: the body of its `form-request` event. */
export type PendingForm = Omit<Extract<EventBody, { type: 'form-request' }>, 'type'>;

export interface FilledForm extends Pick<GivenAnswer, 'user' | 'by'> {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject | undefined;
}

export interface GivenAnswer extends Pick<ApprovalAnswer, 'answer' | 'reason'> {
  /** The user who answers, as the front end authenticated them. */
  readonly user: string;
  /** Stands in the event and the journal: the user's name or the front end. */
  readonly by: string;
}

/** `gone`: never asked here, answered already, or no longer asked. `not-yours`: only the session's own user answers. */
export type AnswerReceipt = 'taken' | 'gone' | 'not-yours';

/** What is done from here about a turn that another process of the home runs. */
export interface Elsewhere {
  /** Cancels what runs and waits there; returns how many turns, 0 when nothing runs elsewhere. */
  cancel(): Promise<number>;
  /** What waits there for the session's user. */
  questions(): Promise<{ readonly approvals: readonly PendingApproval[]; readonly forms: readonly PendingForm[] }>;
  answerApproval(approvalId: string, answer: GivenAnswer): Promise<AnswerReceipt>;
  /** Declines or cancels a form. */
  answerForm(formId: string, answer: FilledForm): Promise<AnswerReceipt>;
}

export interface FollowOptions {
  /** Only events behind this number; 0, the whole log, when absent. */
  readonly afterSeq?: number | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * One session that is open in this host: turns run one at a time, and whatever happens is numbered and stored before
 * anybody sees it. Whoever opened it keeps it no longer than needed; opening it again by id is cheap.
 */
export interface LiveSession {
  readonly session: Session;
  readonly epoch: string;
  readonly title: string;
  readonly model: string;
  /** The tokens of all turns so far. */
  readonly usage: SessionUsage;
  /** The number of the last event that is stored; 0 for none. */
  readonly lastSeq: number;
  /** Turns that run or wait here. */
  readonly openTurns: number;
  /**
   * Resolves the model, so that a wrong one is known before the first turn.
   * @throws HostError MODEL_FAILED
   */
  checkModel(): Promise<void>;
  /** The conversation as the model gets it, valid for every provider. */
  history(): readonly HistoryMessage[];
  /**
   * Runs one turn, after those that were asked for before. Resolves when all of its events are stored. Never rejects for
   * what a model or a tool did.
   * @throws HostError MODEL_FAILED, SESSION_NOT_FOUND, SESSION_STORE_FAILED, or CONNECTION_CLOSED when the host is closing.
   */
  turn(text: string, options?: LiveTurnOptions): Promise<TurnResult>;
  /** Cancels the turn that runs here and those that wait; returns how many. */
  cancel(): number;
  pendingApprovals(): readonly PendingApproval[];
  answerApproval(approvalId: string, answer: GivenAnswer): AnswerReceipt;
  pendingForms(): readonly PendingForm[];
  /** `misfit` says what of the content does not fit the form's schema; the form stands then. */
  answerForm(formId: string, answer: FilledForm): Promise<AnswerReceipt | { readonly misfit: string }>;
  /**
   * What somebody did in an interface that a call of this session has drawn: its plugin handles it, or it is a `ui-action`
   * event, a card that can be sent on.
   * @throws HostError NOT_FOUND, REQUEST_INVALID or SERVER_BUSY.
   */
  handleUiAction(action: GivenUiAction, options?: { abortSignal?: AbortSignal | undefined }): Promise<HandledUiAction>;
  /**
   * What the page of a call's server asks for, by MCP Apps: a tool of that server alone, under all rules and with no yes
   * that was given before; or a resource of it.
   * @throws HostError NOT_FOUND, REQUEST_INVALID or SERVER_BUSY.
   */
  handleAppRequest(request: AppRequest, options?: { abortSignal?: AbortSignal | undefined }): Promise<JsonObject>;
  /** The card of an action as the text of a turn, given once. @throws HostError NOT_FOUND or REQUEST_INVALID. */
  takeUiAction(actionId: string): UiActionMessage;
  /**
   * For a turn that another process runs: whoever has the session's user here can cancel it and answer what it asks. Its
   * methods throw HostError RUNS_ELSEWHERE, which names the process, when that has to be done there.
   */
  readonly elsewhere: Elsewhere;
  /** The next stored events behind `afterSeq`; only behind the last event the page is empty. */
  events(options?: EventPage): ToolpostEvent[];
  /**
   * The log from `afterSeq` on and then what comes, in batches, without a gap or anything twice, at the pace of the reader:
   * nothing piles up for one that is slow, since it reads from the log. Ends with `abortSignal`, or when the session is
   * deleted or the host closes; throws HostError SESSION_STORE_FAILED when the log cannot be read.
   */
  follow(options?: FollowOptions): AsyncIterable<readonly ToolpostEvent[]>;
  /**
   * As `follow`, but calls the listener as soon as events are stored, for one that is never slow: a terminal. Returns the
   * end of it.
   */
  subscribe(options: Pick<FollowOptions, 'afterSeq'>, listener: (event: ToolpostEvent) => void): () => void;
  rename(title: string): void;
  /**
   * Another model from the next turn on; it is kept with the session. Does not wait for turns that run.
   * @throws HostError MODEL_FAILED for one that is unknown or lacks its key: nothing changes then.
   */
  setModel(model: string): Promise<void>;
  /** Forgets the conversation for the model; the log stays. Waits for turns that run. */
  clear(): Promise<void>;
  /** Puts a summary that the model writes in place of the conversation. False, with a `warning` event, when none came of it. */
  compact(options?: { abortSignal?: AbortSignal | undefined }): Promise<boolean>;
  /**
   * A new session that goes on from here under its own id, with the same user, channel and roots. A turn that runs is cut off
   * in the copy, and goes on in this one.
   */
  fork(): Promise<LiveSession>;
}
