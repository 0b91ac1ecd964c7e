import { CHILDREN, type Program, RawPipe } from '../children.ts';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { connectToChild as connectMcp1 } from '../peers/mcp-1.ts';
import { connectToChild as connectMcp2 } from '../peers/mcp-2.ts';
import type { McpPeer } from '../peers/mcp-peer.ts';
import type { Group } from '../report.ts';
import { type Folder, makeFolder, openHost, writePlugin } from '../toolpost-host.ts';

const ROUNDS: Readonly<Record<number, number>> = { 1: 15, 20: 5 };

/** From nothing to the list of the tools: of one plugin with one tool, and of twenty at once. */
export async function* measure(): AsyncGenerator<Group> {
  for (const count of [1, 20]) {
    const folder = makeFolder();
    const plan = { rounds: ROUNDS[count] ?? 5, turnMs: 0, warmUpMs: 0 };
    yield {
      title: `start to the tool list, ${count === 1 ? 'one plugin' : `${count} plugins at once`}`,
      measured: await measureInterleaved(variantsOf(count, folder), plan),
      targets: [],
    };
    folder.remove();
  }
}

function variantsOf(count: number, folder: Folder): Variant[] {
  const node = writePlugins(folder, { kind: 'node', program: CHILDREN.toolpostNode, count });
  const python = writePlugins(folder, { kind: 'python', program: CHILDREN.toolpostPython, count });
  return [
    { name: 'bare node child', role: 'floor', run: () => startBare(CHILDREN.rawNode, count) },
    { name: 'bare python child', role: 'beside', run: () => startBare(CHILDREN.rawPython, count) },
    {
      name: 'Toolpost, TypeScript SDK, cold cache',
      role: 'toolpost',
      run: () => startToolpost(folder.freshHome(), node),
    },
    {
      name: 'Toolpost, Python SDK, cold cache',
      role: 'toolpost',
      run: () => startToolpost(folder.freshHome(), python),
    },
    {
      name: 'Toolpost, TypeScript SDK, listed before',
      role: 'toolpost',
      run: () => startToolpost(`${folder.dir}/home`, node),
    },
    { name: 'MCP SDK 1.x client and server', role: 'peer', run: () => startMcp(connectMcp1, CHILDREN.mcp1, count) },
    { name: 'MCP SDK 2.x client and server', role: 'peer', run: () => startMcp(connectMcp2, CHILDREN.mcp2, count) },
  ];
}

interface Plugins {
  readonly kind: string;
  readonly program: Program;
  readonly count: number;
}

/** The folder of the plugins, and how many there are. */
interface PluginFolder {
  readonly dir: string;
  readonly count: number;
}

function writePlugins({ dir }: Folder, { kind, program, count }: Plugins): PluginFolder {
  for (let index = 0; index < count; index += 1) {
    const args = [...program.args, `${kind}_${index}`];
    writePlugin(`${dir}/${kind}`, { id: `${kind}-${index}`, runtime: 'stdio', ...program, args });
  }
  return { dir: `${dir}/${kind}`, count };
}

async function startToolpost(home: string, { dir, count }: PluginFolder): Promise<number> {
  const startedAt = performance.now();
  const toolpost = await openHost(home, { pluginDirs: [dir] });
  const { tools } = await toolpost.host.listTools(toolpost.session);
  const startMs = performance.now() - startedAt;
  await toolpost.close();
  const listed = tools.filter(({ scope }) => scope === 'global').length;
  if (listed !== count) throw new Error(`${listed} tools instead of ${count} were listed`);
  return startMs;
}

async function startBare(program: Program, count: number): Promise<number> {
  const startedAt = performance.now();
  const pipes = Array.from({ length: count }, () => new RawPipe(program));
  await Promise.all(pipes.map((pipe) => pipe.send('tools\n')));
  const startMs = performance.now() - startedAt;
  await Promise.all(pipes.map((pipe) => pipe.close()));
  return startMs;
}

async function startMcp(
  connect: (program: Program) => Promise<McpPeer>,
  program: Program,
  count: number,
): Promise<number> {
  const startedAt = performance.now();
  const peers = await Promise.all(
    Array.from({ length: count }, async () => {
      const peer = await connect(program);
      await peer.listTools();
      return peer;
    }),
  );
  const startMs = performance.now() - startedAt;
  await Promise.all(peers.map((peer) => peer.close()));
  return startMs;
}
