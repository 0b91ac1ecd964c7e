import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { greet } from '../workload.ts';

const GREETING = z.object({ name: z.string(), times: z.number().int(), isLoud: z.boolean().optional() });

/** A tool of LangChain, called as its agents call it. */
export function createLangChainTool(): (argumentsJson: string) => Promise<unknown> {
  const greeting = tool((input: z.infer<typeof GREETING>) => greet(input), {
    name: 'greet',
    description: 'Greets.',
    schema: GREETING,
  });
  return (argumentsJson) => greeting.invoke(JSON.parse(argumentsJson));
}
