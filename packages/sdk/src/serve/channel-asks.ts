import { CHANNEL_METHODS, isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { Channel, ChannelAsk } from '../plugin/channel.ts';
import type { ChannelOptions } from '../plugin/define-channel.ts';
import { errorMessage } from '../results/to-tool-result.ts';
import type { AskAnswer } from '../tool-call-context.ts';

/** A person is shown a form again so often while the answers do not fit it. */
const MAX_TRIES = 10;

export interface ChannelAsksParts {
  readonly onAsk: NonNullable<ChannelOptions['onAsk']>;
  readonly request: (method: string, params: JsonObject) => Promise<unknown>;
  readonly log: (message: string) => void;
}

/** The questions that `onAsk` has at the moment. */
export class ChannelAsks {
  readonly #parts: ChannelAsksParts;
  readonly #open = new Map<string, AbortController>();

  constructor(parts: ChannelAsksParts) {
    this.#parts = parts;
  }

  /** Has the author ask the person, and brings the answer back. Never rejects. */
  async take(message: JsonObject, channel: Channel): Promise<void> {
    const { askId, ...question } = readAsk(message);
    if (askId === '' || this.#open.has(askId)) return;
    const gone = new AbortController();
    this.#open.set(askId, gone);
    let problem: string | undefined;
    for (let tries = 1; tries <= MAX_TRIES && !gone.signal.aborted; tries++) {
      const ask = { askId, ...question, ...(problem !== undefined && { problem }), abortSignal: gone.signal };
      const answer = tries === MAX_TRIES ? ({ action: 'cancel' } as const) : await this.#answerOf(ask, channel);
      if (gone.signal.aborted) break;
      problem = await this.#bring(askId, answer);
      if (problem === undefined) break;
    }
    this.#open.delete(askId);
  }

  end({ metadata }: JsonObject): void {
    const askId = isJsonObject(metadata) ? metadata.ask_id : undefined;
    if (typeof askId === 'string') this.#open.get(askId)?.abort();
  }

  async #answerOf(ask: ChannelAsk, channel: Channel): Promise<AskAnswer> {
    try {
      return await this.#parts.onAsk(ask, channel);
    } catch (error) {
      if (!ask.abortSignal.aborted)
        this.#parts.log(`chat ${ask.chatId} could not be asked what ${ask.tool} wants to know: ${errorMessage(error)}`);
      return { action: 'cancel' };
    }
  }

  /** Returns what of the answer does not fit the form. */
  async #bring(askId: string, { action, content }: AskAnswer): Promise<string | undefined> {
    try {
      const params = { ask_id: askId, action, ...(content !== undefined && { values: content }) };
      const receipt = await this.#parts.request(CHANNEL_METHODS.answerAsk, params);
      return isJsonObject(receipt) && typeof receipt.problem === 'string' ? receipt.problem : undefined;
    } catch (error) {
      this.#parts.log(`an answer was not taken: ${errorMessage(error)}`);
      return errorMessage(error);
    }
  }
}

function readAsk({ chat_id: chatId, form, metadata }: JsonObject): Omit<ChannelAsk, 'abortSignal'> {
  const { message, schema } = isJsonObject(form) ? form : {};
  const { ask_id: askId, plugin, tool } = isJsonObject(metadata) ? metadata : {};
  return {
    chatId: String(chatId ?? ''),
    askId: String(askId ?? ''),
    message: String(message ?? ''),
    schema: isJsonObject(schema) ? schema : {},
    plugin: String(plugin ?? ''),
    tool: String(tool ?? ''),
  };
}
