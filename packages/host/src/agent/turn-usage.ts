import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** Tokens of one turn so far. */
export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** The sum with one more answer; undefined when the provider counted nothing for it. */
export function addUsage(sum: TurnUsage, usage: LanguageModelV4Usage | undefined): TurnUsage | undefined {
  const input = usage?.inputTokens.total;
  const output = usage?.outputTokens.total;
  if (input === undefined && output === undefined) return undefined;
  const inputTokens = sum.inputTokens + (input ?? 0);
  const outputTokens = sum.outputTokens + (output ?? 0);
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
