import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { GREETING_ARGUMENTS, greet } from '../workload.ts';

const STEPS = 8;
const GREETING = z.object({ name: z.string(), times: z.number().int(), isLoud: z.boolean().optional() });
const greeting = tool({ description: 'Greets.', inputSchema: GREETING, execute: (input) => greet(input) });

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/**
 * Runs tool steps of the AI SDK against a model that answers at once. Only the time between the model's answers is
 * returned, in ms: starting a generation is no part of one more step.
 */
export async function runToolSteps(count: number): Promise<number> {
  let countedMs = 0;
  for (let done = 0; done < count; done += STEPS) countedMs += await runGeneration(Math.min(STEPS, count - done));
  return countedMs;
}

async function runGeneration(steps: number): Promise<number> {
  const startedAt: number[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      startedAt.push(performance.now());
      const isLast = startedAt.length > steps;
      return {
        content: isLast
          ? [{ type: 'text', text: 'Done.' }]
          : [
              {
                type: 'tool-call',
                toolCallId: `call-${startedAt.length}`,
                toolName: 'greet',
                input: GREETING_ARGUMENTS,
              },
            ],
        finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
  await generateText({ model, prompt: 'Greet.', tools: { greet: greeting }, stopWhen: stepCountIs(steps + 1) });
  return (startedAt[steps] ?? Number.NaN) - (startedAt[0] ?? Number.NaN);
}
