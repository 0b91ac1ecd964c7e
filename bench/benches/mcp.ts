import { measureInterleaved, type Variant } from '../interleave.ts';
import { type McpServerName, type McpWire, startOnHttp, startOnStdio, startToList, warmHome } from '../mcp-servers.ts';
import { repeat, repeatAtOnce } from '../repeat.ts';
import type { Group } from '../report.ts';
import { makeFolder } from '../toolpost-host.ts';
import { textOfLength } from '../workload.ts';

const NAMES: Readonly<Record<McpServerName, string>> = { sdk: "the SDK's own server", toolpost: 'toolpost mcp' };
const AT_ONCE = 32;
const CONNECTIONS = 8;
const MANY = 10_000;

/** Servers of MCP as processes, and a raw client of the protocol of 2026-07-28 for all of them. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  await warmHome(folder);
  yield await calls('stdio', async (name) => startOnStdio(name, { folder }));
  yield await calls('HTTP', (name) => startOnHttp(name, { folder, connections: CONNECTIONS }));
  yield await lists(folder);
  yield await starts(folder);
  folder.remove();
}

async function calls(transport: string, start: (name: McpServerName) => Promise<McpWire>): Promise<Group> {
  const wires = { sdk: await start('sdk'), toolpost: await start('toolpost') };
  const params = { name: 'echo', arguments: { text: textOfLength(100) } };
  const variants = variantsOf((name) => (count) => {
    const call = () => wires[name].request('tools/call', params);
    return repeatAtOnce(call, { count, atOnce: AT_ONCE });
  });
  const measured = await measureInterleaved(variants, { rounds: 15, turnMs: 200, warmUpMs: 2000 });
  await Promise.all([wires.sdk.close(), wires.toolpost.close()]);
  return {
    title: `tools/call over ${transport}, ${AT_ONCE} at a time, 100 B each way`,
    measured,
    targets: [{ text: 'at least 1.5 x the calls a second', of: NAMES.sdk, to: NAMES.toolpost, atLeast: 1.5 }],
  };
}

async function lists(folder: ReturnType<typeof makeFolder>): Promise<Group> {
  const options = { folder, tools: MANY };
  const wires = { sdk: startOnStdio('sdk', options), toolpost: startOnStdio('toolpost', options) };
  const list = async (name: McpServerName) => {
    const bytes = await wires[name].request('tools/list');
    if (bytes < MANY * 100) throw new Error(`${name} listed ${bytes} bytes only`);
  };
  const variants = variantsOf((name) => repeat(() => list(name)));
  const measured = await measureInterleaved(variants, { rounds: 9, turnMs: 150, warmUpMs: 1500 });
  await Promise.all([wires.sdk.close(), wires.toolpost.close()]);
  return {
    title: `tools/list of ${MANY.toLocaleString('en')} tools over stdio`,
    measured,
    targets: [{ text: 'at least 50 x faster', of: NAMES.sdk, to: NAMES.toolpost, atLeast: 50 }],
  };
}

async function starts(folder: ReturnType<typeof makeFolder>): Promise<Group> {
  // The list before had other tools.
  await warmHome(folder);
  const variants = variantsOf((name) => () => startToList(name, { folder }));
  const measured = await measureInterleaved(variants, { rounds: 21, turnMs: 0, warmUpMs: 0 });
  return {
    title: 'From the start of the process to the list of one tool, over stdio',
    measured,
    targets: [{ text: 'at most 1.2 x as long', of: NAMES.toolpost, to: NAMES.sdk, atMost: 1.2 }],
  };
}

function variantsOf(run: (name: McpServerName) => Variant['run']): Variant[] {
  return [
    { name: NAMES.sdk, role: 'peer', run: run('sdk') },
    { name: NAMES.toolpost, role: 'toolpost', run: run('toolpost') },
  ];
}
