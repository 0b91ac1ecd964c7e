import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { EventBody } from '@toolpost/protocol';
import { toHistoryInput } from './call-input.ts';
import type { AssistantMessage } from './history.ts';
import type { StartPreview, UiPreview } from './ui-preview.ts';
import { toSafeWireName, type WireNames } from './wire-tools.ts';

type ContentPart = AssistantMessage['content'][number];

/** A call that the model makes: `name` is the tool's own, `wireName` what stands in the history. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly wireName: string;
  readonly arguments: string;
}

export type StepEnd =
  | { readonly kind: 'finished'; readonly reason: LanguageModelV4FinishReason['unified'] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** One answer of the model. When it did not finish it has no calls, and `content` holds its text alone. */
export interface ModelStep {
  readonly text: string;
  readonly content: ContentPart[];
  readonly calls: readonly ModelCall[];
  readonly usage?: LanguageModelV4Usage;
  readonly end: StepEnd;
  /** Whether the user has seen anything of it. */
  readonly hasOutput: boolean;
}

export interface StepContext {
  readonly names: WireNames;
  readonly onEvent: (event: EventBody) => void;
  /** An id that no other call of the session has, the provider's own if possible. */
  readonly takeCallId: (providerId: string) => string;
  /** Absent where no tool draws anything. */
  readonly startPreview?: StartPreview;
}

/** A call whose arguments are coming. */
interface CallInput {
  readonly id: string;
  readonly name: string;
  readonly preview: UiPreview | undefined;
}

type BlockPart = Extract<LanguageModelV4StreamPart, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>;

interface CallPart {
  readonly type: 'call';
  readonly call: ModelCall;
  readonly providerOptions?: SharedV4ProviderOptions;
}

interface Block {
  readonly type: 'text' | 'reasoning';
  text: string;
  /** A first half of a surrogate pair at the end of a delta, kept until the other half comes. */
  held: string;
  providerOptions?: SharedV4ProviderOptions;
}

/** Turns the parts of one stream into events as they come, and into a step at the end. */
export class StepCollector {
  readonly #context: StepContext;
  readonly #parts: (Block | CallPart)[] = [];
  readonly #blocks = new Map<string, Block>();
  readonly #inputs = new Map<string, CallInput>();
  #usage: LanguageModelV4Usage | undefined;
  #reason: LanguageModelV4FinishReason['unified'] | undefined;
  #failure: { error: unknown } | undefined;
  #hasOutput = false;

  constructor(context: StepContext) {
    this.#context = context;
  }

  accept(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#acceptBlockPart(part);
        break;
      case 'tool-input-start':
        this.#startInput(part);
        break;
      case 'tool-input-delta':
        this.#addInput(part);
        break;
      case 'tool-input-end':
        this.#inputs.get(part.id)?.preview?.end();
        break;
      case 'tool-call':
        this.#addCall(part);
        break;
      case 'error':
        this.#failure ??= { error: part.error };
        break;
      case 'finish':
        this.#usage = part.usage;
        this.#reason = part.finishReason.unified;
    }
  }

  /** The whole answer, or a failed step when the stream did not say that it is whole. */
  finish(): ModelStep {
    this.#endPreviews();
    if (this.#failure) return this.fail(this.#failure.error);
    // Silence is not an end: a proxy that cuts the stream cleanly leaves out the finish.
    if (this.#reason === undefined || this.#reason === 'interrupted' || this.#reason === 'error') {
      return this.fail(new Error('The answer was cut off: the stream ended without a finish reason.'));
    }
    const content = this.#parts.flatMap(toHistoryPart);
    return {
      text: this.#text(),
      content: content.some((part) => part.type !== 'reasoning') ? content : [],
      calls: this.#parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
      end: { kind: 'finished', reason: this.#reason },
      hasOutput: this.#hasOutput,
      ...(this.#usage && { usage: this.#usage }),
    };
  }

  cancel(): ModelStep {
    return this.#broken({ kind: 'cancelled' });
  }

  fail(error: unknown): ModelStep {
    return this.#broken({ kind: 'failed', error });
  }

  #broken(end: StepEnd): ModelStep {
    this.#endPreviews();
    const text = this.#text();
    const content: ContentPart[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    return { text, content, calls: [], end, hasOutput: this.#hasOutput, ...(this.#usage && { usage: this.#usage }) };
  }

  #text(): string {
    return this.#parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  #endPreviews(): void {
    for (const { preview } of this.#inputs.values()) preview?.end();
  }

  #emit(event: EventBody): void {
    this.#hasOutput = true;
    this.#context.onEvent(event);
  }

  #acceptBlockPart(part: BlockPart): void {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    // Some providers use one id for each text of an answer: a start always begins a new block.
    let block = part.type.endsWith('-start') ? undefined : this.#blocks.get(key);
    if (!block) {
      block = { type, text: '', held: '' };
      this.#blocks.set(key, block);
      this.#parts.push(block);
    }
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') this.#addDelta(block, part.delta);
    // Signatures of reasoning come with any part of a block, and the provider wants them back.
    if (part.providerMetadata) block.providerOptions = { ...block.providerOptions, ...part.providerMetadata };
  }

  #addDelta(block: Block, delta: string): void {
    const text = block.held + delta;
    block.held = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
    const whole = text.slice(0, text.length - block.held.length).toWellFormed();
    block.text += whole;
    if (whole !== '') this.#emit({ type: `${block.type}-delta`, text: whole });
  }

  #startInput(part: Extract<LanguageModelV4StreamPart, { type: 'tool-input-start' }>): void {
    if (part.providerExecuted) return;
    const { takeCallId, names, startPreview, onEvent } = this.#context;
    const [id, name] = [takeCallId(part.id), names.fromWire(part.toolName)];
    this.#inputs.get(part.id)?.preview?.end();
    this.#inputs.set(part.id, { id, name, preview: startPreview?.({ toolCallId: id, name }, onEvent) });
  }

  #addInput(part: Extract<LanguageModelV4StreamPart, { type: 'tool-input-delta' }>): void {
    const input = this.#inputs.get(part.id);
    if (!input || part.delta === '') return;
    this.#emit({ type: 'tool-input-delta', toolCallId: input.id, name: input.name, text: part.delta });
    input.preview?.push(part.delta);
  }

  #addCall(part: LanguageModelV4ToolCall): void {
    // A call that the provider runs itself is none of ours; Toolpost offers no such tools.
    if (part.providerExecuted) return;
    const input = this.#inputs.get(part.toolCallId);
    const id = input?.id ?? this.#context.takeCallId(part.toolCallId);
    input?.preview?.end();
    this.#inputs.delete(part.toolCallId);
    const wireName = toSafeWireName(part.toolName);
    const call = { id, name: this.#context.names.fromWire(part.toolName), wireName, arguments: part.input };
    this.#parts.push({ type: 'call', call, ...(part.providerMetadata && { providerOptions: part.providerMetadata }) });
  }
}

function toHistoryPart(part: Block | CallPart): ContentPart[] {
  const options = part.providerOptions && { providerOptions: part.providerOptions };
  if (part.type === 'call') {
    const { id, wireName } = part.call;
    return [
      { type: 'tool-call', toolCallId: id, toolName: wireName, input: toHistoryInput(part.call.arguments), ...options },
    ];
  }
  // Empty reasoning may still hold what the provider encrypted; blank text holds nothing, and Anthropic refuses it.
  if (part.text.trim() === '' && (part.type === 'text' || !options)) return [];
  return [{ type: part.type, text: part.text, ...options }];
}
