import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** Tokens of a turn or a session so far. */
export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const NO_USAGE: TurnUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** The sum with one more answer; undefined when the provider counted nothing for it. */
export function addUsage(sum: TurnUsage, usage: LanguageModelV4Usage | undefined): TurnUsage | undefined {
  const input = usage?.inputTokens.total;
  const output = usage?.outputTokens.total;
  if (input === undefined && output === undefined) return undefined;
  const tokens = { inputTokens: input ?? 0, outputTokens: output ?? 0 };
  return sumOf(sum, { ...tokens, totalTokens: tokens.inputTokens + tokens.outputTokens });
}

export function sumOf(a: TurnUsage, b: TurnUsage): TurnUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}
