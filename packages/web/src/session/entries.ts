import type { CallRecord, Outcome, ToolpostEvent, TurnEndReason } from '@toolpost/protocol';

/** What a page shows of a session, in its order. Each one is replaced when it changes, so that others are not drawn again. */
export type Entry = UserEntry | TextEntry | CallEntry | NoteEntry | TurnEndEntry;

interface Keyed {
  /** Of the first event of it: the same in every tab and after every reload. */
  readonly key: number;
}

export interface UserEntry extends Keyed {
  readonly kind: 'user';
  readonly text: string;
  readonly at: number;
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
}

export type Approval = Extract<ToolpostEvent, { type: 'approval-request' }>;
export type Form = Extract<ToolpostEvent, { type: 'form-request' }>;

export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
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
  /** The end of what it printed. */
  readonly output: readonly OutputPiece[];
  readonly progress: { readonly progress: number; readonly total?: number; readonly message?: string } | undefined;
  readonly approval: Approval | undefined;
  readonly form: Form | undefined;
  /** How its question was answered, and by whom. */
  readonly answered: string | undefined;
  readonly drawn: { readonly mode: string; readonly code: string } | undefined;
  readonly record: CallRecord | undefined;
  readonly endedAt: number | undefined;
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
