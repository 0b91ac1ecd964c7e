import type { CallRecord, JsonObject, Outcome, ShownUi, ToolpostEvent, TurnEndReason } from '@toolpost/protocol';

/** What a page shows of a session, in its order. Each one is replaced when it changes, so that others are not drawn again. */
export type Entry = UserEntry | TextEntry | CallEntry | ActionEntry | NoteEntry | TurnEndEntry;

interface Keyed {
  /** Of the first event of it: the same in every tab and after every reload. */
  readonly key: number;
}

export interface UserEntry extends Keyed {
  readonly kind: 'user';
  readonly text: string;
  readonly at: number;
  /** The tool whose interface said it, where it was no person. */
  readonly saidBy: string | undefined;
}

export interface TextEntry extends Keyed {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
  /** Whether more of it may come. */
  readonly isOpen: boolean;
}

export interface NoteEntry extends Keyed {
  readonly kind: 'note';
  readonly tone: 'info' | 'warning' | 'error';
  readonly text: string;
}

export interface TurnEndEntry extends Keyed {
  readonly kind: 'turn-end';
  readonly reason: TurnEndReason;
  readonly durationMs: number;
  /** What the model said last in it. */
  readonly answer: string;
}

export type Approval = Extract<ToolpostEvent, { type: 'approval-request' }>;
export type Form = Extract<ToolpostEvent, { type: 'form-request' }>;

export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The end of what a call printed. */
export interface Printed {
  readonly pieces: readonly OutputPiece[];
  /** How many lines were let go of before them. */
  readonly droppedLines: number;
}

/** `writing`: the model is still at its arguments. `queued`: it is asked for and has not begun. */
export type CallState = 'writing' | 'queued' | 'asking' | 'running' | Outcome;

export interface CallEntry extends Keyed {
  readonly kind: 'call';
  readonly toolCallId: string;
  readonly name: string;
  readonly plugin: string;
  readonly state: CallState;
  readonly argumentsText: string;
  readonly displayArg: string | undefined;
  readonly startedAt: number | undefined;
  readonly output: Printed;
  readonly progress: { readonly progress: number; readonly total?: number; readonly message?: string } | undefined;
  readonly approval: Approval | undefined;
  readonly form: Form | undefined;
  /** How its question was answered, and by whom. */
  readonly answered: string | undefined;
  /** How its tool says that it is drawn, kept with the call. */
  readonly ui: ShownUi | undefined;
  /** The code that came while the model wrote it: the whole of it so far. */
  readonly drawn: (Pick<ShownUi, 'mode' | 'libs'> & { readonly surface: string; readonly code: string }) | undefined;
  /** The code that took the place of the result's, after an action. */
  readonly updatedCode: string | undefined;
  readonly record: CallRecord | undefined;
  readonly endedAt: number | undefined;
}

/** What somebody did in an interface, and its plugin leaves to the user. */
export interface ActionEntry extends Keyed {
  readonly kind: 'ui-action';
  readonly actionId: string;
  readonly plugin: string;
  readonly action: string;
  readonly data: JsonObject;
  readonly isNote: boolean;
  readonly isSent: boolean;
}

export interface SessionView {
  readonly entries: readonly Entry[];
  readonly isRunning: boolean;
  readonly tokens: number;
  /** The keys of calls that wait for an answer. */
  readonly asking: readonly number[];
  /** What clients called the turns that have begun. */
  readonly turnIds: ReadonlySet<string>;
  /** How many turns have ended: lists are read again when it grows. */
  readonly turns: number;
  readonly lastSeq: number;
}

export function isEnded({ state }: Pick<CallEntry, 'state'>): boolean {
  return state !== 'writing' && state !== 'queued' && state !== 'asking' && state !== 'running';
}
