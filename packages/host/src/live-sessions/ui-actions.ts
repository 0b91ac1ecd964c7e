import { randomUUID } from 'node:crypto';
import {
  type EventBody,
  type HandledUiAction,
  HostError,
  type JsonObject,
  type Session,
  type ShownUi,
  type ToolpostEvent,
  type UiOrigin,
  uiCodeMode,
} from '@toolpost/protocol';
import type { TurnNotes } from '../agent.ts';
import type { Host } from '../host.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import { readLog } from '../sessions/read-log.ts';
import type { EventPage } from '../sessions/session-store.ts';
import { askPlugin } from './ask-plugin.ts';
import type { CallStarts } from './call-starts.ts';
import { uiActionText } from './ui-action-text.ts';

const MAX_DATA_CHARS = 65_536;
/** A person clicks; code that fires by itself is held back. */
const [MAX_ACTIONS, ACTIONS_MS] = [30, 10_000];
/** Each stands in the log and on the page. */
const [MAX_CARDS, CARDS_MS] = [20, 60_000];
const MAX_OPEN = 8;
/** The log is read from where it began for a call that is none of these. */
const MAX_KNOWN = 100;

export interface GivenUiAction {
  readonly toolCallId: string;
  readonly action: string;
  readonly data: JsonObject;
}

/** The message of a turn that an action becomes. */
export interface UiActionMessage {
  readonly text: string;
  readonly origin: UiOrigin;
}

/** What a session lends its actions. */
export interface UiActionParts {
  readonly host: Host;
  readonly session: () => Session;
  readonly events: (page: EventPage) => readonly ToolpostEvent[];
  readonly callStarts: Pick<CallStarts, 'seqOf'>;
  /** Stored when it returns. */
  readonly say: (body: EventBody) => void;
}

type ActionEvent = Extract<EventBody, { type: 'ui-action' }>;

type WaitingNotes = Map<string, { readonly event: ActionEvent; readonly text: string }>;

interface DrawnCall {
  readonly plugin: string;
  readonly toolName: string;
  /** Absent where only the result says that there is something to see: its code tells how it is written. */
  readonly ui?: Pick<ShownUi, 'mode' | 'libs' | 'surface'> | undefined;
}

/** A call as it was found at the event with which it began. */
interface KnownCall {
  readonly startSeq: number | undefined;
  readonly call: DrawnCall;
}

/**
 * What is done in the interfaces of one session: it goes to the plugin that drew them, else becomes a card for the user, or a
 * note for the turn that runs. None of it is ever the user's own word.
 */
export class UiActions {
  readonly #parts: UiActionParts;
  readonly #actions: RateLimiter = createRateLimiter(MAX_ACTIONS, ACTIONS_MS);
  readonly #cards: RateLimiter = createRateLimiter(MAX_CARDS, CARDS_MS);
  /** Cards whose turns wait or run; the log tells of those that have begun. */
  readonly #sent = new Set<string>();
  readonly #known = new Map<string, KnownCall>();
  #open = 0;
  /** What waits for the turn that runs; undefined while none does. */
  #notes: WaitingNotes | undefined;

  constructor(parts: UiActionParts) {
    this.#parts = parts;
  }

  /** @throws HostError SERVER_BUSY, REQUEST_INVALID, or NOT_FOUND for a call that has drawn nothing here. */
  async handle(given: GivenUiAction, abortSignal: AbortSignal): Promise<HandledUiAction> {
    if (JSON.stringify(given.data).length > MAX_DATA_CHARS)
      throw new HostError(
        'REQUEST_INVALID',
        `data: an action takes at most ${MAX_DATA_CHARS} characters of JSON with it`,
      );
    const waitMs = this.#actions.admit(performance.now());
    if (waitMs > 0 || this.#open >= MAX_OPEN)
      throw new HostError(
        'SERVER_BUSY',
        'too many actions come from the interfaces of this session: wait a few seconds',
      );
    this.#open += 1;
    try {
      const call = this.#callOf(given.toolCallId);
      return (await this.#askPlugin(call, given, abortSignal)) ?? this.#keep(call, given);
    } finally {
      this.#open -= 1;
    }
  }

  /**
   * Takes the card of an action to send it on, once: until `released`, and for good when its turn has begun.
   * @throws HostError NOT_FOUND for an action that there is none of, REQUEST_INVALID for one that is with the model already.
   */
  take(actionId: string): UiActionMessage {
    let card: ActionEvent | undefined;
    let isTold = this.#sent.has(actionId);
    const about = { types: ['ui-action', 'turn-start'] };
    for (const event of readLog((page) => this.#parts.events({ ...page, about }))) {
      if (event.type === 'ui-action' && event.actionId === actionId) card = event;
      if (event.type === 'turn-start' && event.uiAction?.actionId === actionId) isTold = true;
    }
    if (!card) throw new HostError('NOT_FOUND', `there is no action ${JSON.stringify(actionId)} in this session`);
    if (isTold || card.isNote) throw new HostError('REQUEST_INVALID', 'this action has reached the model already');
    const { toolCallId, plugin, action, data } = card;
    const origin = { actionId, toolCallId, plugin, action };
    const { toolName } = this.#callOf(toolCallId);
    this.#notes?.delete(actionId);
    this.#sent.add(actionId);
    return { text: uiActionText({ ...origin, toolName, data }, 'sent'), origin };
  }

  /** The turn of a card has ended. One that could not begin can be sent again. */
  released(actionId: string): void {
    this.#sent.delete(actionId);
  }

  /** Notes for a turn that begins. */
  openNotes(): TurnNotes & { close(): void } {
    const notes: WaitingNotes = new Map();
    this.#notes = notes;
    let wereTaken = false;
    return {
      take: () => {
        const taken = [...notes.values()];
        notes.clear();
        wereTaken ||= taken.length > 0;
        for (const { event } of taken) this.#parts.say({ ...event, isNote: true });
        return taken.map(({ text }) => text);
      },
      get wereTaken() {
        return wereTaken;
      },
      // What nobody took is a card that the user may still send on.
      close: () => {
        if (this.#notes === notes) this.#notes = undefined;
      },
    };
  }

  #callOf(toolCallId: string): DrawnCall {
    const startSeq = this.#parts.callStarts.seqOf(toolCallId);
    const known = this.#known.get(toolCallId);
    // Another call may have got its id since.
    if (known && known.startSeq === startSeq) return known.call;
    const call = this.#find(toolCallId, startSeq);
    this.#known.set(toolCallId, { startSeq, call });
    for (const oldest of this.#known.keys()) if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return call;
  }

  /** The call as the log has it: its plugin may be gone. */
  #find(toolCallId: string, startSeq = 1): DrawnCall {
    let found: DrawnCall | undefined;
    const about = { types: ['tool-call-start', 'tool-call-end'], toolCallId };
    for (const event of this.#parts.events({ about, afterSeq: startSeq - 1 })) {
      if (event.type === 'tool-call-start') {
        const { plugin, name: toolName, ui } = event;
        found = ui && { plugin, toolName, ui };
      } else if (event.type === 'tool-call-end' && !found && drawsByResult(event.result.metadata)) {
        const { plugin, name: toolName } = event.result;
        found = { plugin, toolName };
      }
    }
    if (found) return found;
    throw new HostError('NOT_FOUND', `no call ${JSON.stringify(toolCallId)} of this session has drawn an interface`);
  }

  async #askPlugin(
    call: DrawnCall,
    given: GivenUiAction,
    abortSignal: AbortSignal,
  ): Promise<HandledUiAction | undefined> {
    const { host, session } = this.#parts;
    const { plugin, toolName, ui } = call;
    const actor = { session: session(), abortSignal };
    const result = await askPlugin(host, { plugin, action: { toolName, ...given } }, actor);
    if (!result) return undefined;
    const { code } = result;
    const { libs, surface } = ui ?? INLINE;
    if (code !== undefined) {
      const mode = uiCodeMode(ui?.mode, code) ?? 'app';
      this.#parts.say({ type: 'ui-update', toolCallId: given.toolCallId, mode, libs, surface, code });
    }
    return { handled: 'plugin', result };
  }

  /** A card first, also for a note: should the turn end before the model has read it, the user can still send it on. */
  #keep({ plugin, toolName }: DrawnCall, { toolCallId, action, data }: GivenUiAction): HandledUiAction {
    if (this.#cards.admit(performance.now()) > 0)
      throw new HostError(
        'SERVER_BUSY',
        `too many actions come that the plugin ${plugin} does not handle: wait a minute`,
      );
    const { host } = this.#parts;
    const actionId = randomUUID();
    const masked: JsonObject = host.redact.isActive ? JSON.parse(host.redact(JSON.stringify(data))) : data;
    const about = { actionId, toolCallId, plugin, action: host.redact(action), data: masked };
    const event: ActionEvent = { type: 'ui-action', ...about };
    this.#parts.say(event);
    const { toolPolicy } = host.settings;
    const isTrusted = toolPolicy[plugin]?.interfaceNotes ?? toolPolicy['*']?.interfaceNotes ?? false;
    if (!isTrusted || !this.#notes) return { handled: 'card', actionId };
    this.#notes.set(actionId, { event, text: uiActionText({ ...about, toolName }, 'note') });
    return { handled: 'note', actionId };
  }
}

const INLINE: Pick<ShownUi, 'libs' | 'surface'> = { libs: [], surface: 'inline' };

/** A result with blocks or code of its own can be acted in, also where its tool said nothing of it. */
function drawsByResult(metadata: JsonObject | undefined): boolean {
  return typeof metadata?.ui_code === 'string' || Array.isArray(metadata?.blocks) || metadata?.app !== undefined;
}
