import type { ToolpostEvent } from '@toolpost/protocol';
import { type CallEvent, callAfter } from './call-after.ts';
import { type CallEntry, type Entry, isEnded, type SessionView, type TextEntry } from './entries.ts';
import { markSent, replaceAction, toAction, updateInterface } from './interface-entries.ts';
import { NOTHING_PRINTED } from './output-tail.ts';

type EventOf<Type extends ToolpostEvent['type']> = Extract<ToolpostEvent, { type: Type }>;
/** A body of an entry, whose key is that of its event. */
type Unkeyed<E> = E extends Entry ? Omit<E, 'key'> : never;

/** Turns the events of a session into what is shown. An event that was there before changes nothing. */
export interface SessionLog {
  take(event: ToolpostEvent): void;
  /** Everything so far was of another log. */
  reset(): void;
  view(): SessionView;
}

export function createSessionLog(): SessionLog {
  let state = createState();
  let shown: SessionView | undefined;
  return {
    take(event) {
      if (event.seq <= state.lastSeq) return;
      state.lastSeq = event.seq;
      shown = undefined;
      apply(state, event);
    },
    reset() {
      state = createState();
      shown = undefined;
    },
    view() {
      shown ??= snapshot(state);
      return shown;
    },
  };
}

interface State {
  readonly entries: Entry[];
  /** Where the entry of a call stands that has not ended, by the call's id. */
  readonly calls: Map<string, number>;
  readonly questions: Map<string, number>;
  readonly turnIds: Set<string>;
  turnStartedAt: number | undefined;
  tokens: number;
  turns: number;
  lastSeq: number;
}

function createState(): State {
  return {
    ...{ entries: [], calls: new Map(), questions: new Map(), turnIds: new Set() },
    ...{ turnStartedAt: undefined, tokens: 0, turns: 0, lastSeq: 0 },
  };
}

function snapshot(state: State): SessionView {
  return {
    entries: state.entries.slice(),
    isRunning: state.turnStartedAt !== undefined,
    tokens: state.tokens,
    asking: [...new Set([...state.questions.values()].map((at) => state.entries[at]?.key ?? 0))],
    turnIds: new Set(state.turnIds),
    turns: state.turns,
    lastSeq: state.lastSeq,
  };
}

function apply(state: State, event: ToolpostEvent): void {
  switch (event.type) {
    case 'turn-start':
      startTurn(state, event);
      break;
    case 'text-delta':
      addText(state, 'text', event);
      break;
    case 'reasoning-delta':
      addText(state, 'reasoning', event);
      break;
    case 'approval-request':
    case 'form-request':
      ask(state, event);
      break;
    case 'approval-end':
      answer(state, event.approvalId, `${ANSWERS[event.answer] ?? event.answer}, by ${event.by}`);
      break;
    case 'form-end':
      answer(state, event.formId, `${event.action}, by ${event.by}`);
      break;
    case 'usage':
      state.tokens += event.totalTokens;
      queueWritten(state);
      break;
    case 'turn-end':
      endTurn(state, event);
      break;
    case 'turn-error':
      push(state, event, { kind: 'note', tone: 'error', text: event.message });
      closeTurn(state);
      break;
    case 'warning':
      push(state, event, { kind: 'note', tone: 'warning', text: event.message });
      break;
    case 'plugin-state':
      tellOfPlugin(state, event);
      break;
    case 'ui-action':
      if (!replaceAction(state.entries, event)) push(state, event, toAction(event));
      break;
    case 'ui-update':
      updateInterface(state.entries, event);
      break;
    case 'tool-input-delta':
    case 'ui-delta':
    case 'tool-call-start':
    case 'tool-output-delta':
    case 'tool-progress':
    case 'tool-call-end':
      applyToCall(state, event);
      break;
    // A server that is newer than this page may tell of more.
    default:
      break;
  }
}

const ANSWERS: Readonly<Record<string, string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  always: 'always allowed',
  no: 'not allowed',
};

function startTurn(state: State, event: EventOf<'turn-start'>): void {
  state.turnStartedAt = event.at;
  if (event.turnId !== undefined) state.turnIds.add(event.turnId);
  markSent(state.entries, event.uiAction?.actionId);
  push(state, event, { kind: 'user', text: event.text, at: event.at, saidBy: event.uiAction?.plugin });
}

function endTurn(state: State, event: EventOf<'turn-end'>): void {
  const durationMs = event.at - (state.turnStartedAt ?? event.at);
  closeTurn(state);
  const last = state.entries.at(-1);
  const answer = last?.kind === 'text' ? last.text : '';
  push(state, event, { kind: 'turn-end', reason: event.reason, durationMs, answer });
}

/** What was left open when a turn ends never began. */
function closeTurn(state: State): void {
  closeText(state);
  for (const at of state.calls.values()) change(state, at, (call) => ({ ...call, state: 'cancelled' }));
  state.calls.clear();
  state.questions.clear();
  state.turnStartedAt = undefined;
  state.turns += 1;
}

function push(state: State, { seq }: ToolpostEvent, body: Unkeyed<Entry>): void {
  closeText(state);
  state.entries.push({ ...body, key: seq } as Entry);
}

function addText(state: State, kind: TextEntry['kind'], event: EventOf<'text-delta' | 'reasoning-delta'>): void {
  const last = state.entries.at(-1);
  if (last?.kind === kind && last.isOpen)
    state.entries[state.entries.length - 1] = { ...last, text: last.text + event.text };
  else push(state, event, { kind, text: event.text, isOpen: true });
}

function closeText(state: State): void {
  const last = state.entries.at(-1);
  if ((last?.kind === 'text' || last?.kind === 'reasoning') && last.isOpen)
    state.entries[state.entries.length - 1] = { ...last, isOpen: false };
}

function ask(state: State, event: EventOf<'approval-request' | 'form-request'>): void {
  const at = placeOf(state, event, event);
  const isApproval = event.type === 'approval-request';
  state.questions.set(isApproval ? event.approvalId : event.formId, at);
  change(state, at, (call) => ({ ...call, state: 'asking', ...(isApproval ? { approval: event } : { form: event }) }));
}

function answer(state: State, id: string, answered: string): void {
  const at = state.questions.get(id);
  state.questions.delete(id);
  if (at === undefined) return;
  change(state, at, (call) => ({
    ...call,
    approval: call.approval?.approvalId === id ? undefined : call.approval,
    form: call.form?.formId === id ? undefined : call.form,
    state: isEnded(call) ? call.state : 'running',
    answered,
  }));
}

/** The model has ended its answer: what it wrote is asked for now. */
function queueWritten(state: State): void {
  for (const at of state.calls.values())
    change(state, at, (call) => (call.state === 'writing' ? { ...call, state: 'queued' } : call));
}

function tellOfPlugin(state: State, event: EventOf<'plugin-state'>): void {
  if (event.state !== 'error' && event.state !== 'crashed') return;
  const what = event.state === 'error' ? 'is broken' : 'has ended by itself';
  const text = `The plugin ${event.plugin} ${what}${event.error ? `: ${event.error}` : ''}`;
  push(state, event, { kind: 'note', tone: 'warning', text });
}

function applyToCall(state: State, event: Exclude<CallEvent, EventOf<'approval-request' | 'form-request'>>): void {
  const at = placeOf(state, event, 'name' in event ? event : undefined);
  if (event.type === 'tool-call-start') queueWritten(state);
  change(state, at, (call) => callAfter(call, event));
  if (event.type === 'tool-call-end') state.calls.delete(event.toolCallId);
}

/** A model may use an id again: what begins after the end of a call is another one. */
function placeOf(state: State, event: CallEvent, known: { name: string } | undefined): number {
  const found = state.calls.get(event.toolCallId);
  if (found !== undefined) return found;
  const { toolCallId } = event;
  push(state, event, {
    ...{ kind: 'call', toolCallId, name: known?.name ?? '', plugin: '', state: 'writing', argumentsText: '' },
    ...{
      displayArg: undefined,
      startedAt: undefined,
      output: NOTHING_PRINTED,
      progress: undefined,
      approval: undefined,
    },
    ...{ form: undefined, answered: undefined, ui: undefined, drawn: undefined, updatedCode: undefined },
    ...{ record: undefined, endedAt: undefined },
  });
  const at = state.entries.length - 1;
  state.calls.set(toolCallId, at);
  return at;
}

function change(state: State, at: number, how: (call: CallEntry) => CallEntry): void {
  const entry = state.entries[at];
  if (entry?.kind === 'call') state.entries[at] = how(entry);
}
