import { defineTool } from '@toolpost/sdk';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { serveManyTools as serveMcp1 } from '../peers/mcp-1.ts';
import { serveManyTools as serveMcp2 } from '../peers/mcp-2.ts';
import { repeat } from '../repeat.ts';
import type { Group } from '../report.ts';
import { makeFolder, type OpenHost, openHost } from '../toolpost-host.ts';

const COUNT = 10_000;
const OWN = 'Toolpost, the snapshot and its JSON text';
const OWN_BYTES = 'Toolpost, the same as new bytes for a wire';
const MCP_1 = 'MCP SDK 1.x server, tools/list';
const MCP_2 = 'MCP SDK 2.x server, tools/list';

/** The transport of either SDK, as far as a request needs it. */
interface Wire {
  onmessage?: ((message: never) => void) | undefined;
  send(message: { jsonrpc: '2.0'; id: number; method: string; params: Record<string, unknown> }): Promise<void>;
}

/** Listing a catalogue that has been listed before and has not changed. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const toolpost = await openHost(folder.dir, { tools: manyTools() });
  const text = await listText(toolpost);
  const definitions: unknown = JSON.parse(text);
  const bytes = Buffer.from(text);
  const mcp1 = await serveMcp1(COUNT);
  const mcp2 = await serveMcp2(COUNT);
  const variants: Variant[] = [
    { name: 'copy of bytes that are there', role: 'floor', run: repeat(async () => Buffer.from(bytes)) },
    { name: 'JSON.stringify of the definitions', role: 'beside', run: repeat(async () => JSON.stringify(definitions)) },
    { name: OWN, role: 'toolpost', run: repeat(() => listText(toolpost)) },
    { name: OWN_BYTES, role: 'toolpost', run: repeat(async () => Buffer.from(await listText(toolpost))) },
    { name: MCP_1, role: 'peer', run: repeat(() => listOver(mcp1)) },
    { name: MCP_2, role: 'peer', run: repeat(() => listOver(mcp2)) },
  ];
  const measured = await measureInterleaved(variants, { rounds: 9, turnMs: 100, warmUpMs: 1500 });
  await Promise.all([toolpost.close(), mcp1.close(), mcp2.close()]);
  folder.remove();
  yield {
    title: `Listing ${COUNT.toLocaleString('en')} tools again`,
    measured,
    targets: [OWN, OWN_BYTES].flatMap((own) => [
      { text: `${own}: at least 100 x faster than MCP SDK 1.x`, of: MCP_1, to: own, atLeast: 100 },
      { text: `${own}: at least 100 x faster than MCP SDK 2.x`, of: MCP_2, to: own, atLeast: 100 },
    ]),
  };
}

function manyTools() {
  return Array.from({ length: COUNT }, (_item, index) =>
    defineTool({
      name: `tool_${index}`,
      description: `Tool number ${index}.`,
      inputSchema: [
        { name: 'name', type: 'string', required: true },
        { name: 'times', type: 'integer', required: true },
        { name: 'isLoud', type: 'boolean' },
      ],
      execute: () => '',
    }),
  );
}

async function listText({ host, session }: OpenHost): Promise<string> {
  return (await host.listTools(session)).definitionsJson;
}

/** Asks the server and waits for its answer. The transport hands objects over: no JSON is written or read. */
function listOver(wire: Wire): Promise<unknown> {
  return new Promise((resolve, reject) => {
    wire.onmessage = (message: { result?: { tools: unknown[] } }) => {
      const listed = message.result?.tools.length;
      if (listed === COUNT) resolve(listed);
      else reject(new Error(`tools/list was answered by ${JSON.stringify(message).slice(0, 200)}`));
    };
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).catch(reject);
  });
}
