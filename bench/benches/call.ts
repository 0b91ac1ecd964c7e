import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool } from '@toolpost/sdk';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { runToolSteps } from '../peers/ai-sdk.ts';
import { createLangChainTool } from '../peers/langchain.ts';
import { connectInMemory as connectMcp1 } from '../peers/mcp-1.ts';
import { connectInMemory as connectMcp2 } from '../peers/mcp-2.ts';
import { repeat } from '../repeat.ts';
import type { Group } from '../report.ts';
import { callTool, makeFolder, type OpenHost, openHost, writePlugin } from '../toolpost-host.ts';
import { GREETING_ARGUMENTS, type Greeting, greet } from '../workload.ts';

const FLOOR = 'JSON.parse and await a function';
const EMBEDDED = 'Toolpost, embedded function';
const NATIVE = 'Toolpost, native plugin';
const MCP_1 = 'MCP SDK 1.x, in memory';
const MCP_2 = 'MCP SDK 2.x, in memory';

const PARAMETERS = [
  { name: 'name', type: 'string', required: true },
  { name: 'times', type: 'integer', required: true },
  { name: 'isLoud', type: 'boolean' },
] as const;

const PLUGIN = `
import { defineTool, definePlugin } from '@toolpost/sdk';
const execute = ({ name, times, isLoud }) => {
  const text = 'Hello, '.repeat(times) + name;
  return isLoud ? text.toUpperCase() : text;
};
const inputSchema = ${JSON.stringify(PARAMETERS)};
export default definePlugin({ tools: [defineTool({ name: 'native_greet', description: 'Greets.', inputSchema, execute })] });
`;

/** One call of a tool in the host's own process, through the whole call path. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  writePlugin(folder.dir, { id: 'native-greet', runtime: 'native', entry: 'index.js' }, { 'index.js': PLUGIN });
  const toolpost = await openHost(`${folder.dir}/home`, {
    pluginDirs: [`${folder.dir}/native-greet`],
    allow: ['greet', 'native_greet'],
    tools: [
      defineTool({ name: 'greet', description: 'Greets.', inputSchema: PARAMETERS, execute: (input) => greet(input) }),
    ],
  });
  const mcp1 = await connectMcp1();
  const mcp2 = await connectMcp2();
  const callLangChain = createLangChainTool();
  const variants: Variant[] = [
    { name: FLOOR, role: 'floor', run: runFloor },
    { name: 'the same with a schema check by hand', role: 'beside', run: runChecked },
    { name: EMBEDDED, role: 'toolpost', run: (count) => runToolpost(toolpost, 'greet', count) },
    { name: NATIVE, role: 'toolpost', run: (count) => runToolpost(toolpost, 'native_greet', count) },
    { name: MCP_1, role: 'peer', run: repeat(() => mcp1.call('greet', JSON.parse(GREETING_ARGUMENTS))) },
    { name: MCP_2, role: 'peer', run: repeat(() => mcp2.call('greet', JSON.parse(GREETING_ARGUMENTS))) },
    { name: 'LangChain tool().invoke', role: 'peer', run: repeat(() => callLangChain(GREETING_ARGUMENTS)) },
    { name: 'AI SDK, one more tool step', role: 'peer', run: runToolSteps },
  ];
  const measured = await measureInterleaved(variants, { rounds: 21, turnMs: 60, warmUpMs: 1000 });
  await Promise.all([toolpost.close(), mcp1.close(), mcp2.close()]);
  folder.remove();
  yield {
    title: 'One call in process, journal on',
    measured,
    targets: [EMBEDDED, NATIVE].flatMap((own) => [
      { text: `${own}: at most 8 x the floor`, of: own, to: FLOOR, atMost: 8 },
      { text: `${own}: at least 4 x faster than MCP SDK 1.x`, of: MCP_1, to: own, atLeast: 4 },
    ]),
  };
}

async function runFloor(count: number): Promise<undefined> {
  for (let index = 0; index < count; index += 1) await greetLater(JSON.parse(GREETING_ARGUMENTS));
}

async function runChecked(count: number): Promise<undefined> {
  for (let index = 0; index < count; index += 1) {
    const input: Greeting = JSON.parse(GREETING_ARGUMENTS);
    if (typeof input.name !== 'string' || !Number.isInteger(input.times)) throw new Error('not a greeting');
    if (input.isLoud !== undefined && typeof input.isLoud !== 'boolean') throw new Error('not a greeting');
    await greetLater(input);
  }
}

async function greetLater(input: Greeting): Promise<string> {
  return greet(input);
}

/**
 * The journal is written after 50 ms, when calls that follow one another without a pause are over. That belongs to
 * them: what this process works while it waits for it is added.
 */
async function runToolpost(toolpost: OpenHost, name: string, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) await callTool(toolpost, name, GREETING_ARGUMENTS);
  const calledMs = performance.now() - startedAt;
  const idle = performance.eventLoopUtilization();
  await sleep(60);
  return calledMs + performance.eventLoopUtilization(idle).active;
}
