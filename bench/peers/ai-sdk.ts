import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { createScriptedModel, type Script } from '../scripted-model.ts';
import { greet } from '../workload.ts';

const STEPS = 8;
const GREETING = z.object({ name: z.string(), times: z.number().int(), isLoud: z.boolean().optional() });
const tools = { greet: tool({ description: 'Greets.', inputSchema: GREETING, execute: (input) => greet(input) }) };

/**
 * Runs tool steps of the AI SDK against a model that answers at once. Only the time between the model's answers is
 * returned, in ms: starting a generation is no part of one more step.
 */
export async function runToolSteps(count: number): Promise<number> {
  let countedMs = 0;
  for (let done = 0; done < count; done += STEPS) {
    countedMs += await generateSteps({ steps: Math.min(STEPS, count - done), textPieces: 0 });
  }
  return countedMs;
}

/** One `generateText` of the script. Returns the ms of its steps. */
export async function generateSteps(script: Script): Promise<number> {
  const { model, steppedMs } = createScriptedModel(script);
  await generateText({ model, prompt: 'Greet.', tools, stopWhen: stepCountIs(script.steps + 1) });
  return steppedMs();
}

/** One `streamText` of the script, read to its end by the cheapest way it has. Returns the ms of its steps. */
export async function streamSteps(script: Script): Promise<number> {
  const { model, steppedMs } = createScriptedModel(script);
  const streamed = streamText({ model, prompt: 'Greet.', tools, stopWhen: stepCountIs(script.steps + 1) });
  await streamed.consumeStream();
  return steppedMs();
}
