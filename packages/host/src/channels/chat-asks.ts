import { CHANNEL_EVENTS, type ChannelEvent, type JsonObject, quoteValue, readAskAnswer } from '@toolpost/protocol';
import type { LiveSession, PendingForm } from '../live-sessions/live-session.ts';
import type { ChannelPort } from '../runtimes/runtime.ts';

interface OpenAsk {
  readonly live: LiveSession;
  readonly form: PendingForm;
}

/** What came of an answer. `problem`: what of the values does not fit the form, which stands then. */
export interface AskReceipt {
  readonly accepted: boolean;
  readonly problem?: string;
}

/** The forms of tools that people behind one channel are asked to fill in, each until it is answered or taken back. */
export interface ChatAsks {
  /** A life of the plugin begins: it is asked whatever is open. */
  open(port: ChannelPort): void;
  close(): void;
  /** A form of a turn is asked; its bounds in time are the session's. */
  ask(live: LiveSession, form: PendingForm): void;
  /** It was answered, or nobody waits for it any more. */
  end(formId: string, action: string): void;
  /** The turn is over: what it still asks is taken back. */
  endTurn(live: LiveSession): void;
  /** @throws Error with the text for the plugin. */
  answer(params: JsonObject): Promise<AskReceipt>;
}

/** `onChange` hears how many chats are asked something. */
export function createChatAsks(channel: string, onChange: (chats: number) => void): ChatAsks {
  const asks = new Map<string, OpenAsk>();
  /** How many forms each session has open. */
  const counts = new Map<string, number>();
  let port: ChannelPort | undefined;
  const by = `the channel ${channel}`;

  const show = (to: ChannelPort, ask: OpenAsk) => {
    if (to.answersAsks) to.send(toEvent(ask));
    else cancel(ask);
  };
  const count = ({ session: { id } }: LiveSession, change: 1 | -1) => {
    const open = (counts.get(id) ?? 0) + change;
    if (open > 0) counts.set(id, open);
    else counts.delete(id);
    onChange(counts.size);
  };
  // Its end comes as an event of the session, as that of any form.
  const cancel = ({ live, form }: OpenAsk) =>
    void live.answerForm(form.formId, { user: live.session.user, action: 'cancel', by });
  const end = (formId: string, action: string) => {
    const ask = asks.get(formId);
    if (!ask) return;
    asks.delete(formId);
    count(ask.live, -1);
    const metadata = { ask_id: formId, action };
    if (port?.answersAsks) port.send({ type: CHANNEL_EVENTS.askOver, chat_id: ask.live.session.chatId, metadata });
  };

  return {
    open(next) {
      port = next;
      for (const ask of asks.values()) show(next, ask);
    },
    close() {
      port = undefined;
    },
    ask(live, form) {
      const ask = { live, form };
      asks.set(form.formId, ask);
      count(live, 1);
      if (port) show(port, ask);
    },
    end,
    endTurn(live) {
      for (const [formId, ask] of asks) if (ask.live.session.id === live.session.id) end(formId, 'cancel');
    },
    async answer(params) {
      const { askId, action, values } = readAskAnswer(params);
      const ask = asks.get(askId);
      if (!ask) return { accepted: false };
      const { session } = ask.live;
      const chatId = params.chat_id ?? session.chatId;
      if (String(chatId) !== session.chatId)
        throw new Error(`ask_id ${quoteValue(askId)} is a question to another chat than ${quoteValue(chatId)}`);
      const receipt = await ask.live.answerForm(askId, { user: session.user, action, by, content: values });
      return typeof receipt === 'object'
        ? { accepted: false, problem: receipt.misfit }
        : { accepted: receipt === 'taken' };
    },
  };
}

function toEvent({ live, form }: OpenAsk): ChannelEvent {
  const { formId, plugin, name, message, schema, expiresAt } = form;
  const metadata = {
    ...{ ask_id: formId, plugin, tool: name },
    ...(expiresAt !== undefined && { expires_at: String(expiresAt) }),
  };
  return { type: CHANNEL_EVENTS.ask, chat_id: live.session.chatId, form: { message, schema }, metadata };
}
