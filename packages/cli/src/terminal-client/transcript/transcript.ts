import { type CallRecord, type ToolpostEvent, uiCodeMode } from '@toolpost/protocol';
import { parsedObject } from './arguments.ts';
import type { ActionEntry, CallEntry, DrawnUi, Entry, SaidEntry, TextEntry } from './entries.ts';
import { isWaiting, markAction, noteOfUpdate, takeAction, updateDrawn } from './interface-entries.ts';
import { createOutputLines } from './output-lines.ts';

type EventOf<Type extends ToolpostEvent['type']> = Extract<ToolpostEvent, { type: Type }>;

/** What is shown of a session: its events and what the client itself has said, as entries. */
export interface Transcript {
  readonly entries: readonly Entry[];
  /** When the turn began that runs; undefined between turns. In ms since 1970. */
  readonly turnStartedAt: number | undefined;
  /** Whether something was asked in the session. */
  readonly hasTurns: boolean;
  /** Grows with each change. */
  readonly version: number;
  /** `isFormer`: of before the session was shown here, so that nothing of it stands on the screen. */
  take(event: ToolpostEvent, options?: { readonly isFormer?: boolean }): void;
  /** The actions of interfaces that can be sent on, the newest last. */
  waitingActions(): readonly ActionEntry[];
  say(text: string): void;
  /** Shows a line that was typed and is no prompt. */
  echo(text: string): void;
  note(tone: 'info' | 'warning' | 'error', text: string): void;
  /** Another session is shown from here on. */
  reset(): void;
}

interface State {
  entries: Entry[];
  /** By the call's id: events of calls that run together never mix. */
  readonly calls: Map<string, CallEntry>;
  /** The calls that wait for an answer, by the question's id. */
  readonly questions: Map<string, CallEntry>;
  turnStartedAt: number | undefined;
  hasTurns: boolean;
}

export function createTranscript(): Transcript {
  const state: State = newState();
  let version = 0;
  const add = (entry: Entry) => {
    push(state, entry);
    version += 1;
  };
  return {
    get entries() {
      return state.entries;
    },
    get turnStartedAt() {
      return state.turnStartedAt;
    },
    get hasTurns() {
      return state.hasTurns;
    },
    get version() {
      return version;
    },
    take(event, { isFormer = false } = {}) {
      apply(state, event);
      if (event.type === 'ui-update' && !isFormer) push(state, noteOfUpdate(state.entries, event));
      version += 1;
    },
    waitingActions: () => state.entries.filter(isWaiting),
    say: (text) => add({ kind: 'said', text } satisfies SaidEntry),
    echo: (text) => add({ kind: 'prompt', text, from: undefined }),
    note: (tone, text) => add({ kind: 'note', tone, text }),
    reset() {
      Object.assign(state, newState());
      version += 1;
    },
  };
}

function newState(): State {
  return {
    ...{ entries: [], calls: new Map(), questions: new Map(), turnStartedAt: undefined },
    hasTurns: false,
  };
}

function apply(state: State, event: ToolpostEvent): void {
  switch (event.type) {
    case 'turn-start':
      startTurn(state, event);
      break;
    case 'text-delta':
      addText(state, 'text', event.text);
      break;
    case 'reasoning-delta':
      addText(state, 'reasoning', event.text);
      break;
    case 'usage':
      queueWritten(state);
      break;
    case 'turn-end':
      endTurn(state, event);
      break;
    case 'turn-error':
      push(state, { kind: 'note', tone: 'error', text: event.message });
      closeTurn(state);
      break;
    case 'warning':
      push(state, { kind: 'note', tone: 'warning', text: event.message });
      break;
    case 'approval-end':
      answer(state, event.approvalId);
      break;
    case 'form-end':
      answer(state, event.formId);
      break;
    case 'ui-action':
      push(state, takeAction(state.entries, event));
      break;
    case 'ui-update':
      updateDrawn(state.entries, event);
      break;
    default:
      if ('toolCallId' in event) applyToCall(state, event);
  }
}

function startTurn(state: State, { text, at, uiAction }: EventOf<'turn-start'>): void {
  state.turnStartedAt = at;
  state.hasTurns = true;
  if (uiAction) markAction(state.entries, uiAction.actionId, 'sent');
  push(state, { kind: 'prompt', text, from: uiAction?.plugin });
}

function endTurn(state: State, { reason }: EventOf<'turn-end'>): void {
  closeTurn(state);
  push(state, { kind: 'turn-end', reason });
}

/** What was left open when a turn ends never began. */
function closeTurn(state: State): void {
  closeText(state);
  for (const call of state.calls.values()) call.state = 'cancelled';
  state.calls.clear();
  state.questions.clear();
  state.turnStartedAt = undefined;
}

function push(state: State, entry: Entry | undefined): void {
  if (!entry) return;
  closeText(state);
  state.entries.push(entry);
}

function addText(state: State, kind: TextEntry['kind'], text: string): void {
  const last = state.entries.at(-1);
  if (last?.kind === kind && last.isOpen) last.text += text;
  else push(state, { kind, text, isOpen: true });
}

function closeText(state: State): void {
  const last = state.entries.at(-1);
  if (last?.kind === 'text' || last?.kind === 'reasoning') last.isOpen = false;
}

/** The model has ended its answer: what it wrote is asked for now. */
function queueWritten(state: State): void {
  for (const call of state.calls.values()) if (call.state === 'writing') call.state = 'queued';
}

function answer(state: State, questionId: string): void {
  const call = state.questions.get(questionId);
  state.questions.delete(questionId);
  if (call?.state === 'asking') call.state = 'running';
}

type CallEvent = Exclude<Extract<ToolpostEvent, { toolCallId: string }>, EventOf<'ui-action' | 'ui-update'>>;

function applyToCall(state: State, event: CallEvent): void {
  // What comes after the end of its call has no place any more.
  if (isOutput(event) && !state.calls.has(event.toolCallId)) return;
  const call = callOf(state, event);
  switch (event.type) {
    case 'tool-input-delta':
      Object.assign(call, { name: event.name, argumentsText: call.argumentsText + event.text });
      break;
    case 'tool-call-start': {
      const { name, plugin, arguments: argumentsText, displayArg, at, ui } = event;
      queueWritten(state);
      if (ui) call.ui = { mode: ui.mode, param: ui.param, code: call.ui?.code ?? '' };
      Object.assign(call, { name, plugin, argumentsText, displayArg, startedAt: at, state: 'running' });
      break;
    }
    case 'tool-output-delta':
      call.output.add(event.stream, event.text);
      break;
    case 'tool-progress': {
      const { progress, total, message } = event;
      call.progress = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      break;
    }
    case 'ui-delta':
      call.ui = { mode: event.mode, param: call.ui?.param, code: event.code };
      break;
    case 'approval-request':
    case 'form-request':
      call.state = 'asking';
      state.questions.set(event.type === 'form-request' ? event.formId : event.approvalId, call);
      break;
    case 'tool-call-end':
      endCall(state, call, event);
      break;
    default:
  }
}

function isOutput({ type }: CallEvent): boolean {
  return type === 'tool-output-delta' || type === 'tool-progress';
}

function endCall(state: State, call: CallEntry, { name, outcome, result, toolCallId }: EventOf<'tool-call-end'>): void {
  Object.assign(call, { name, state: outcome, record: result });
  const made = result.metadata?.ui_code;
  // A tool that says nothing of an interface may draw one all the same.
  if (call.ui) call.ui = { ...call.ui, code: codeOf(call, call.ui, result) };
  else if (typeof made === 'string')
    call.ui = { mode: uiCodeMode(undefined, made) ?? '', param: undefined, code: made };
  state.calls.delete(toolCallId);
}

/** The code is the result's, else that of the argument. */
function codeOf({ argumentsText }: CallEntry, { param = '', code }: DrawnUi, { metadata }: CallRecord): string {
  if (typeof metadata?.ui_code === 'string') return metadata.ui_code;
  const written = parsedObject(argumentsText)?.[param];
  return typeof written === 'string' ? written : code;
}

/** A model may use an id again: what begins after the end of a call is another one. */
function callOf(state: State, event: CallEvent): CallEntry {
  const known = state.calls.get(event.toolCallId);
  if (known) return known;
  const call: CallEntry = {
    ...{ kind: 'call', toolCallId: event.toolCallId, name: 'name' in event ? event.name : '', plugin: '' },
    ...{ state: 'writing', argumentsText: '', displayArg: undefined, startedAt: undefined, progress: undefined },
    ...{ output: createOutputLines(), ui: undefined, record: undefined },
  };
  push(state, call);
  state.calls.set(event.toolCallId, call);
  return call;
}
