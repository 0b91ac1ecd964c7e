import { writeFileSync } from 'node:fs';
import { CHILDREN, RawPipe } from '../children.ts';
import { measureInterleaved, type Plan, type Variant } from '../interleave.ts';
import { connectToChild as connectMcp1 } from '../peers/mcp-1.ts';
import { connectToChild as connectMcp2 } from '../peers/mcp-2.ts';
import type { McpPeer } from '../peers/mcp-peer.ts';
import { repeat, repeatAtOnce } from '../repeat.ts';
import type { Group, Target } from '../report.ts';
import { callTool, type Folder, makeFolder, type OpenHost, openHost, writePlugin } from '../toolpost-host.ts';
import { textOfLength } from '../workload.ts';

const RAW_NODE = 'raw pipe, node child';
const RAW_PYTHON = 'raw pipe, python child';
const OWN_NODE = 'Toolpost, TypeScript SDK child';
const OWN_PYTHON = 'Toolpost, Python SDK child';
const MCP_1 = 'MCP SDK 1.x client and server';
const MCP_2 = 'MCP SDK 2.x client and server';

const AT_ONCE = 64;
const SIZES = [
  { title: '100 B', length: 100 },
  { title: '10 KB', length: 10_000 },
  { title: '1 MB', length: 1_000_000 },
];
const IN_TURN: Plan = { rounds: 15, turnMs: 100, warmUpMs: 600, isEachTimed: true };
const BESIDE_EACH_OTHER: Plan = { rounds: 15, turnMs: 150, warmUpMs: 800 };

/** One call of a tool in a child process, version 2 of the protocol: text there, and the same text back. */
export async function* measure(): AsyncGenerator<Group> {
  const children = await startChildren();
  for (const { title, length } of SIZES) {
    yield {
      title: `stdio, one call after the other, ${title} each way`,
      measured: await measureInterleaved(inTurn(children, textOfLength(length)), IN_TURN),
      targets: length === 100 ? sequentialTargets() : [],
    };
  }
  for (const { title, length } of SIZES) {
    yield {
      title: `stdio, ${AT_ONCE} calls in flight, ${title} each way`,
      measured: await measureInterleaved(inFlight(children, textOfLength(length)), BESIDE_EACH_OTHER),
      targets: length === 100 ? inFlightTargets() : [],
    };
  }
  await children.close();
}

function sequentialTargets(): Target[] {
  return [
    { text: 'median at most 1.5 x the raw node pipe', of: OWN_NODE, to: RAW_NODE, atMost: 1.5 },
    { text: 'at least 2 x faster than MCP SDK 1.x', of: MCP_1, to: OWN_NODE, atLeast: 2 },
  ];
}

function inFlightTargets(): Target[] {
  return [{ text: 'at least 0.5 x the calls a second of the raw pipe', of: RAW_NODE, to: OWN_NODE, atLeast: 0.5 }];
}

interface Children {
  readonly rawNode: RawPipe;
  readonly rawPython: RawPipe;
  readonly toolpost: OpenHost;
  readonly mcp1: McpPeer;
  readonly mcp2: McpPeer;
  close(): Promise<void>;
}

async function startChildren(): Promise<Children> {
  const folder = makeFolder();
  const rawNode = new RawPipe(CHILDREN.rawNode);
  const rawPython = new RawPipe(CHILDREN.rawPython);
  const toolpost = await openToolpost(folder);
  const mcp1 = await connectMcp1(CHILDREN.mcp1);
  const mcp2 = await connectMcp2(CHILDREN.mcp2);
  return {
    rawNode,
    rawPython,
    toolpost,
    mcp1,
    mcp2,
    close: async () => {
      await Promise.all([rawNode.close(), rawPython.close(), toolpost.close(), mcp1.close(), mcp2.close()]);
      folder.remove();
    },
  };
}

/** The output cap is raised above 1 MB: with it, Toolpost would write the text to a file and give a part back. */
function openToolpost({ dir }: Folder): Promise<OpenHost> {
  const limits = { 'echo-node': { outputBytes: 4_000_000 }, 'echo-python': { outputBytes: 4_000_000 } };
  const configFile = `${dir}/config.json`;
  writeFileSync(configFile, JSON.stringify({ limits }));
  const { toolpostNode: node, toolpostPython: python } = CHILDREN;
  const pluginDirs = [`${dir}/echo-node`, `${dir}/echo-python`];
  writePlugin(dir, { id: 'echo-node', runtime: 'stdio', ...node, args: [...node.args, 'echo_node'] });
  writePlugin(dir, { id: 'echo-python', runtime: 'stdio', ...python, args: [...python.args, 'echo_python'] });
  return openHost(`${dir}/home`, { configFile, pluginDirs, allow: ['echo_node', 'echo_python'] });
}

/** One call of each variant. */
function callsOf({ rawNode, rawPython, toolpost, mcp1, mcp2 }: Children, text: string) {
  const line = `${text}\n`;
  const input = JSON.stringify({ text });
  return [
    { name: RAW_NODE, role: 'floor', call: () => rawNode.send(line) },
    { name: RAW_PYTHON, role: 'beside', call: () => rawPython.send(line) },
    { name: OWN_NODE, role: 'toolpost', call: () => callTool(toolpost, 'echo_node', input) },
    { name: OWN_PYTHON, role: 'toolpost', call: () => callTool(toolpost, 'echo_python', input) },
    { name: MCP_1, role: 'peer', call: () => mcp1.call('echo', JSON.parse(input)) },
    { name: MCP_2, role: 'peer', call: () => mcp2.call('echo', JSON.parse(input)) },
  ] as const;
}

function inTurn(children: Children, text: string): Variant[] {
  return callsOf(children, text).map(({ name, role, call }) => ({ name, role, run: repeat(call) }));
}

function inFlight(children: Children, text: string): Variant[] {
  const run = (call: () => Promise<unknown>) => (count: number) => repeatAtOnce(call, { count, atOnce: AT_ONCE });
  return callsOf(children, text).map(({ name, role, call }) => ({ name, role, run: run(call) }));
}
