import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool } from '@toolpost/sdk';
// The loop takes a model as an object here; the package's own way in, `createAgent`, takes the name of one.
import { runTurn } from '../../packages/host/dist/agent/run-turn.js';
import { maskedEvents } from '../../packages/host/dist/call-path/masked-events.js';
import { createWireNames } from '../../packages/host/dist/registry/wire-names.js';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { generateSteps, streamSteps } from '../peers/ai-sdk.ts';
import type { Group } from '../report.ts';
import { createScriptedModel, type Script } from '../scripted-model.ts';
import { makeFolder, type OpenHost, openHost } from '../toolpost-host.ts';
import { type Greeting, greet } from '../workload.ts';

const STEPS = 8;
const OWN = 'Toolpost agent';
const STREAMED = 'AI SDK streamText';
const WHOLE = 'AI SDK generateText, nothing streamed';

const PARAMETERS = [
  { name: 'name', type: 'string', required: true },
  { name: 'times', type: 'integer', required: true },
  { name: 'isLoud', type: 'boolean' },
] as const;

/** One more tool step of an agent: the model's answer is read, its call runs, and the model is asked again. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const toolpost = await openHost(folder.dir, {
    allow: ['greet'],
    tools: [
      defineTool({ name: 'greet', description: 'Greets.', inputSchema: PARAMETERS, execute: (input) => greet(input) }),
    ],
  });
  yield await measureSteps(toolpost, { title: 'One more tool step, the call alone', textPieces: 0 });
  yield await measureSteps(toolpost, { title: 'One more tool step, 40 pieces of text and the call', textPieces: 40 });
  await toolpost.close();
  folder.remove();
}

async function measureSteps(
  toolpost: OpenHost,
  { title, textPieces }: { title: string; textPieces: number },
): Promise<Group> {
  const inTurns = (runScript: (script: Script) => Promise<number>) => (count: number) =>
    runSteps(runScript, { steps: count, textPieces });
  const variants: Variant[] = [
    { name: "read the model's stream and await a function", role: 'floor', run: inTurns(readSteps) },
    { name: OWN, role: 'toolpost', run: withJournal(inTurns((script) => runOwnTurn(toolpost, script))) },
    { name: STREAMED, role: 'peer', run: inTurns(streamSteps) },
    { name: WHOLE, role: 'peer', run: inTurns(generateSteps) },
  ];
  const measured = await measureInterleaved(variants, { rounds: 15, turnMs: 80, warmUpMs: 1000 });
  const targets = [STREAMED, WHOLE].map((peer) => {
    return { text: `${OWN}: at least 1.5 x faster than ${peer}`, of: peer, to: OWN, atLeast: 1.5 };
  });
  return { title, measured, targets };
}

/** Splits the steps into turns, as a conversation that only grows would measure its length. */
async function runSteps(
  runScript: (script: Script) => Promise<number>,
  { steps, textPieces }: Script,
): Promise<number> {
  let countedMs = 0;
  for (let done = 0; done < steps; done += STEPS) {
    countedMs += await runScript({ steps: Math.min(STEPS, steps - done), textPieces });
  }
  return countedMs;
}

/** Put together as `createAgent` does it: the host's call path with permissions and journal, masked events. */
async function runOwnTurn({ host, session }: OpenHost, script: Script): Promise<number> {
  const { model, steppedMs } = createScriptedModel(script);
  const snapshot = await host.listTools(session);
  let completed = 0;
  const { reason, text } = await runTurn({
    model,
    history: [],
    text: 'Greet.',
    tools: snapshot.definitions,
    wireNames: createWireNames(snapshot.definitions.map(({ name }) => name)),
    callTool: (call, round) => host.callTool(call, session, { ...round, snapshot }),
    keepText: (callId, whole) => host.keepText(session, callId, whole),
    abortSignal: new AbortController().signal,
    onEvent: maskedEvents((event) => {
      if (event.type === 'tool-call-end' && event.outcome === 'completed') completed += 1;
    }, host.redact),
  });
  if (reason !== 'completed' || completed !== script.steps)
    throw new Error(`${completed} calls, then ${reason}: ${text}`);
  return steppedMs();
}

/** What any loop over such a model has to do: nothing is checked, kept or reported. */
async function readSteps(script: Script): Promise<number> {
  const { model, steppedMs } = createScriptedModel(script);
  for (let step = 0; step <= script.steps; step += 1) {
    const { stream } = await model.doStream({ prompt: [] });
    for await (const part of stream) if (part.type === 'tool-call') await greetLater(JSON.parse(part.input));
  }
  return steppedMs();
}

async function greetLater(input: Greeting): Promise<string> {
  return greet(input);
}

/** The journal is written after 50 ms, when the turns are over: what this process works while it waits is added. */
function withJournal(run: (count: number) => Promise<number>): Variant['run'] {
  return async (count) => {
    const steppedMs = await run(count);
    const idle = performance.eventLoopUtilization();
    await sleep(60);
    return steppedMs + performance.eventLoopUtilization(idle).active;
  };
}
