// Measures, prints the tables and writes bench/results/NAME.json. Started by run.js.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machineFacts, versions } from './machine.ts';
import { type Group, judge, toJson, toTable } from './report.ts';

/** Each file's `measure` yields its groups as they are done. */
const BENCHES: Readonly<Record<string, () => Promise<{ measure(): AsyncIterable<Group> }>>> = {
  call: () => import('./benches/call.ts'),
  stdio: () => import('./benches/stdio.ts'),
  start: () => import('./benches/start.ts'),
  list: () => import('./benches/list.ts'),
  command: () => import('./benches/command.ts'),
  stream: () => import('./benches/stream.ts'),
  edit: () => import('./benches/edit.ts'),
  agent: () => import('./benches/agent.ts'),
  mcp: () => import('./benches/mcp.ts'),
  wasm: () => import('./benches/wasm.ts'),
  server: () => import('./benches/server.ts'),
  interface: () => import('./benches/interface.ts'),
  page: () => import('./benches/page.ts'),
  terminal: () => import('./benches/terminal.ts'),
};
const USAGE = `usage: npm run bench -- [NAME ...] [--check]; NAME is one of ${Object.keys(BENCHES).join(', ')}`;

const { names, isChecked } = readArguments();
let missed = 0;
for (const name of names) missed += await runBench(name);
if (isChecked && missed > 0) process.exitCode = 1;

function readArguments(): { names: string[]; isChecked: boolean } {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } });
    const unknown = positionals.find((name) => !Object.hasOwn(BENCHES, name));
    if (unknown !== undefined) throw new Error(`there is no bench named ${JSON.stringify(unknown)}`);
    return { names: positionals.length > 0 ? positionals : Object.keys(BENCHES), isChecked: values.check === true };
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}

/** Returns how many targets were missed. */
async function runBench(name: string): Promise<number> {
  const load = BENCHES[name];
  if (!load) throw new Error(USAGE);
  const { measure } = await load();
  const before = machineFacts();
  const groups: Group[] = [];
  for await (const group of measure()) {
    groups.push(group);
    process.stdout.write(`${toTable(group)}\n`);
  }
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const facts = { name, at: new Date().toISOString(), machine: before, versions: versions() };
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ ...facts, groups: groups.map(toJson) }, null, 2)}\n`,
  );
  return groups.flatMap(judge).filter(({ isMet }) => !isMet).length;
}
