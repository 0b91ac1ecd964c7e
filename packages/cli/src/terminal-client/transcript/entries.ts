import type { CallRecord, JsonObject, Outcome, TurnEndReason } from '@toolpost/protocol';
import type { OutputLines } from './output-lines.ts';

/** What a terminal shows of a session, in its order. An entry changes until it has ended. */
export type Entry = PromptEntry | TextEntry | CallEntry | ActionEntry | NoteEntry | TurnEndEntry | SaidEntry;

export interface PromptEntry {
  readonly kind: 'prompt';
  readonly text: string;
  /** The plugin whose interface said it, where it is not the person's own word. */
  readonly from: string | undefined;
}

export interface TextEntry {
  readonly kind: 'text' | 'reasoning';
  text: string;
  /** Whether more of it may come. */
  isOpen: boolean;
}

export interface NoteEntry {
  readonly kind: 'note';
  readonly tone: 'info' | 'warning' | 'error';
  readonly text: string;
}

export interface TurnEndEntry {
  readonly kind: 'turn-end';
  readonly reason: TurnEndReason;
}

/** What somebody did in an interface, which its plugin does not handle: a card that the person may send on. */
export interface ActionEntry {
  readonly kind: 'action';
  readonly actionId: string;
  /** What it is sent on by: the first of the session is 1. */
  readonly number: number;
  readonly plugin: string;
  readonly action: string;
  readonly data: JsonObject;
  /** `told`: it went into the turn that ran; `sent`: as a turn of its own. */
  state: 'waiting' | 'told' | 'sent';
}

/** What a command of the chat, or the client itself, says: lines that are laid out already. */
export interface SaidEntry {
  readonly kind: 'said';
  readonly text: string;
}

/** `writing`: the model is still at its arguments. `queued`: it is asked for and has not begun. `asking`: a person has to answer. */
export type CallState = 'writing' | 'queued' | 'asking' | 'running' | Outcome;

/** An interface that a call draws. */
export interface DrawnUi {
  readonly mode: string;
  /** The argument that has the code, where one does. */
  readonly param: string | undefined;
  /** The whole code so far; empty before there is any. */
  readonly code: string;
}

export interface CallEntry {
  readonly kind: 'call';
  readonly toolCallId: string;
  name: string;
  plugin: string;
  state: CallState;
  argumentsText: string;
  displayArg: string | undefined;
  /** Ms since 1970, by the events. */
  startedAt: number | undefined;
  progress: { readonly progress: number; readonly total?: number; readonly message?: string } | undefined;
  readonly output: OutputLines;
  /** What it draws: as the model writes it, then as the call's result says. */
  ui: DrawnUi | undefined;
  record: CallRecord | undefined;
}

const OPEN_STATES: ReadonlySet<CallState> = new Set(['writing', 'queued', 'asking', 'running']);

export function isEnded(entry: Entry): boolean {
  if (entry.kind === 'text' || entry.kind === 'reasoning') return !entry.isOpen;
  return entry.kind !== 'call' || !OPEN_STATES.has(entry.state);
}
