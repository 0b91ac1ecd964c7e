import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { measureInterleaved, type Variant } from '../interleave.ts';
import type { Group } from '../report.ts';
import { makeFolder, type OpenHost, openHost } from '../toolpost-host.ts';

const MEGABYTES = 100;
const COUNT = 'bytes counted';
const BASH = 'Toolpost, bash: events, the text, and the whole in a file';
const READLINE = 'readline, an event a line';
const FOR_AWAIT = 'readline, for await';
const COMMAND = 'cat lines.txt';
const SAMPLE_MS = 5;
/** Above what the process had when the command began: a stream in flat memory stays far below its 100 MB. */
const FLAT_MB = 80;

/** 100 MB of text lines that a child prints, read to the end: times are for one MB. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const root = `${folder.dir}/root`;
  mkdirSync(root);
  writeFileSync(`${root}/lines.txt`, linesOfText(MEGABYTES * 1_000_000));
  const toolpost = await openHost(`${folder.dir}/home`, { roots: [root], allow: ['bash'] });
  const peaks = new Map<string, number>();
  const variants: Variant[] = [
    { name: COUNT, role: 'floor', run: (count) => runTimes(count, () => readChild(root, countBytes)) },
    {
      name: BASH,
      role: 'toolpost',
      run: (count) => runTimes(count, () => watched(peaks, BASH, () => runBash(toolpost))),
    },
    {
      name: READLINE,
      role: 'peer',
      run: (count) => runTimes(count, () => watched(peaks, READLINE, () => readChild(root, onEachLine))),
    },
    { name: FOR_AWAIT, role: 'peer', run: (count) => runTimes(count, () => readChild(root, forEachLine)) },
  ];
  for (const { run } of variants) await run(1);
  peaks.clear();
  const measured = await measureInterleaved(variants, { rounds: 7, turnMs: 0, warmUpMs: 0 });
  await toolpost.close();
  folder.remove();
  const peak = (name: string): number => peaks.get(name) ?? 0;
  yield {
    title: `Lines that a child prints, ${MEGABYTES} MB, for one MB`,
    measured,
    targets: [{ text: 'at least 2.5 x the speed of readline with for await', of: FOR_AWAIT, to: BASH, atLeast: 2.5 }],
    notes: [
      `memory at its peak, above the start of the command: bash ${peak(BASH)} MB, readline ${peak(READLINE)} MB`,
      ...(peak(BASH) > FLAT_MB ? [`NOT FLAT: bash took more than ${FLAT_MB} MB`] : []),
    ],
  };
}

function linesOfText(bytes: number): string {
  const lines = Array.from(
    { length: 1000 },
    (_, index) => `${index} ${'the quick brown fox jumps '.repeat(1 + (index % 3))}\n`,
  );
  const block = lines.join('');
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
}

/** Milliseconds for one MB. */
async function runTimes(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) await work();
  return (performance.now() - startedAt) / MEGABYTES;
}

/** As a client has it, with every event; the file is no part of the next run. */
async function runBash({ host, session }: OpenHost): Promise<void> {
  let events = 0;
  const call = { id: 'call-1', name: 'bash', arguments: JSON.stringify({ command: COMMAND }) };
  const { outcome, metadata, text } = await host.callTool(call, session, { onEvent: () => events++ });
  if (outcome !== 'completed' || metadata?.fullOutputBytes !== MEGABYTES * 1_000_000)
    throw new Error(`bash ${outcome}: ${text}`);
  rmSync(String(metadata.fullOutput));
}

function readChild(cwd: string, read: (output: Readable) => Promise<unknown>): Promise<unknown> {
  const child = spawn('bash', ['-c', COMMAND], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  return read(child.stdout);
}

async function countBytes(output: Readable): Promise<number> {
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => output.once('close', resolve));
  return bytes;
}

async function onEachLine(output: Readable): Promise<number> {
  let lines = 0;
  const reader = createInterface({ input: output });
  reader.on('line', () => {
    lines += 1;
  });
  await new Promise((resolve) => reader.once('close', resolve));
  return lines;
}

async function forEachLine(output: Readable): Promise<number> {
  let lines = 0;
  for await (const _line of createInterface({ input: output })) lines += 1;
  return lines;
}

/** Keeps the highest memory, in MB above what there was at the start. */
async function watched(peaks: Map<string, number>, name: string, work: () => Promise<unknown>): Promise<void> {
  const start = process.memoryUsage.rss();
  const sample = (): void => {
    const megabytes = Math.round((process.memoryUsage.rss() - start) / 1_000_000);
    peaks.set(name, Math.max(peaks.get(name) ?? 0, megabytes));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  await work();
  sample();
  clearInterval(timer);
}
