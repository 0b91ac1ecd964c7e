import type { TurnUsage } from '@toolpost/host';

const count = new Intl.NumberFormat('en-US');

/** The tokens of a turn and of its session so far, in one line; nothing where the provider counted none. */
export function usageLine(turn: TurnUsage, session: TurnUsage): string {
  if (turn.totalTokens === 0) return '';
  const before = session.totalTokens > turn.totalTokens ? `; session: ${tokens(session)}` : '';
  return `tokens: ${tokens(turn)}${before}`;
}

function tokens({ inputTokens, outputTokens }: TurnUsage): string {
  return `${count.format(inputTokens)} in, ${count.format(outputTokens)} out`;
}
