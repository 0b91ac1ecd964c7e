import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../statistics.ts';

const HOLDER = fileURLToPath(new URL('../children/hold-instances.ts', import.meta.url));
const RUNS = 3;
const MORE = 8;
/** The target of an instance. */
const TARGET_MB = 15;

/** How much memory of a process one more instance takes, after a call: sentences. `dir` is the guests' own. */
export async function instanceMemory(dir: string, home: string): Promise<string[]> {
  const thread = await perInstance(['thread']);
  const inC = await perInstance(['guest', dir, home]);
  const ofTypeScript = await perInstance(['echo-js', dir, home]);
  const extism = await perInstance(['extism']);
  return [
    `memory for one more instance: ${inC} MB in C, ${ofTypeScript} MB of TypeScript; bare thread ${thread} MB, extism in a worker ${extism} MB`,
    ...(Math.max(inC, ofTypeScript) > TARGET_MB ? [`NOT MET  at most ${TARGET_MB} MB for an instance`] : []),
  ];
}

async function perInstance(args: readonly string[]): Promise<number> {
  const each: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const one = await residentMb([...args, '1']);
    const more = await residentMb([...args, String(1 + MORE)]);
    each.push((more - one) / MORE);
  }
  return Number(median(each).toPrecision(3));
}

/** Of a process that holds what the arguments say. */
async function residentMb(args: readonly string[]): Promise<number> {
  const quiet = '--disable-warning=ExperimentalWarning';
  const { stdout } = await promisify(execFile)(process.execPath, [quiet, HOLDER, ...args]);
  const megabytes = Number(stdout);
  if (!(megabytes > 0)) throw new Error(`${HOLDER} ${args.join(' ')} gave ${JSON.stringify(stdout)}`);
  return megabytes;
}
