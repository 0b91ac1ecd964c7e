import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { HistoryMessage } from './history.ts';

/** Until a provider has counted: English text has four characters a token, code and JSON fewer. */
const TOKENS_PER_CHAR = 0.28;
const LEAST_PER_CHAR = 0.12;
/** What providers count for an image, whatever its bytes, in characters. */
const CHARS_OF_FILE = 6000;

/**
 * Estimates how many tokens a prompt has, and learns from each answer what its provider counted for so many
 * characters.
 */
export class ContextGauge {
  /** Characters that go with every prompt: the system prompt and the tools. */
  readonly #fixedChars: number;
  readonly #chars = new WeakMap<HistoryMessage, number>();
  #tokensPerChar = TOKENS_PER_CHAR;

  constructor(fixedChars: number) {
    this.#fixedChars = fixedChars;
  }

  tokensOf(messages: readonly HistoryMessage[]): number {
    return Math.ceil((this.#fixedChars + this.charsOf(messages)) * this.#tokensPerChar);
  }

  charsOf(messages: readonly HistoryMessage[]): number {
    let sum = 0;
    for (const message of messages) sum += this.#charsOfOne(message);
    return sum;
  }

  /** Takes what a provider counted for these messages. One that counts nothing, or nonsense, teaches little. */
  learn(messages: readonly HistoryMessage[], usage: LanguageModelV4Usage | undefined): void {
    const counted = usage?.inputTokens.total;
    const chars = this.#fixedChars + this.charsOf(messages);
    if (!counted || chars === 0) return;
    this.#tokensPerChar = Math.min(1, Math.max(LEAST_PER_CHAR, counted / chars));
  }

  /** Messages never change, so that each is measured once. */
  #charsOfOne(message: HistoryMessage): number {
    const known = this.#chars.get(message);
    if (known !== undefined) return known;
    const chars = typeof message.content === 'string' ? message.content.length : charsOfParts(message.content);
    this.#chars.set(message, chars);
    return chars;
  }
}

function charsOfParts(parts: Exclude<HistoryMessage['content'], string>): number {
  let sum = 0;
  for (const part of parts) {
    if ('text' in part) sum += part.text.length;
    else if (part.type === 'tool-call') sum += part.toolName.length + JSON.stringify(part.input).length;
    else if (part.type === 'tool-result') sum += charsOfOutput(part.output);
    else sum += CHARS_OF_FILE;
  }
  return sum;
}

function charsOfOutput(
  output: Extract<Extract<HistoryMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'],
): number {
  if (output.type === 'execution-denied') return output.reason?.length ?? 0;
  if (output.type === 'text' || output.type === 'error-text') return output.value.length;
  if (output.type !== 'content') return JSON.stringify(output.value).length;
  return output.value.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : CHARS_OF_FILE), 0);
}
