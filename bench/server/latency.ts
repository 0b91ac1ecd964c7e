import { type Measured, measureInterleaved, type Variant } from '../interleave.ts';
import type { Group } from '../report.ts';
import { median, quantile } from '../statistics.ts';
import type { Servers } from './servers.ts';
import { latenciesOf, type TickServer, type Ticks } from './ticks.ts';

const BARE = 'bare node server';
const FUNCTION = 'Toolpost, function in the host';
const PROGRAM = 'Toolpost, program over stdio';

/** The streams of one group, by name, and who is measured in them. */
interface Streams {
  readonly title: string;
  readonly ticks: Ticks;
  readonly atOnce: number;
  readonly rounds: number;
}

/** From the moment that a plugin prints a line to the one that a client of the server has it. */
export async function* measureLatency(servers: Servers): AsyncGenerator<Group> {
  const pace = { count: 200, paceMs: 4, bytes: 120 };
  yield* latencyGroups(servers, { title: 'one stream', ticks: pace, atOnce: 1, rounds: 15 });
  const slower = { count: 150, paceMs: 20, bytes: 120 };
  yield* latencyGroups(servers, { title: '50 streams at once', ticks: slower, atOnce: 50, rounds: 7 });
}

async function* latencyGroups(servers: Servers, streams: Streams): AsyncGenerator<Group> {
  const tails = new Map<string, number[]>();
  const variants = variantsOf(servers).map(({ name, role, server }): Variant => {
    return { name, role, run: async () => await readAtOnce(server, streams, (p99) => append(tails, name, p99)) };
  });
  for (const { run } of variants) await run(1);
  tails.clear();
  const measured = await measureInterleaved(variants, { rounds: streams.rounds, turnMs: 0, warmUpMs: 0 });
  const title = `From a plugin's line to the client, ${streams.title}, a line each ${streams.ticks.paceMs} ms`;
  yield { title: `${title}: median`, measured, targets: [] };
  yield {
    title: `${title}: p99`,
    measured: measured.map((one) => withRounds(one, tails.get(one.name) ?? [])),
    targets: [{ text: 'at most 5 x the bare server', of: FUNCTION, to: BARE, atMost: 5 }],
  };
}

function variantsOf({ bare, toolpost }: Servers) {
  return [
    { name: BARE, role: 'floor', server: bare },
    { name: FUNCTION, role: 'toolpost', server: toolpost.ticks('ticker_function') },
    { name: PROGRAM, role: 'toolpost', server: toolpost.ticks('ticker_program') },
  ] as const;
}

/** Gives the median in ms. */
async function readAtOnce(
  server: TickServer,
  { ticks, atOnce }: Streams,
  onTail: (p99: number) => void,
): Promise<number> {
  const latencies = await latenciesOf(server, ticks, atOnce);
  onTail(quantile(latencies, 0.99));
  return median(latencies);
}

function append(tails: Map<string, number[]>, name: string, p99: number): void {
  tails.set(name, [...(tails.get(name) ?? []), p99]);
}

function withRounds({ name, role }: Measured, rounds: readonly number[]): Measured {
  return { name, role, median: median(rounds), p90: quantile(rounds, 0.9), samples: rounds.length, rounds };
}

/** As fast as it goes, with a line in each round of the server's event loop; the time of one line of 1 KB. */
export async function measureThroughput(servers: Servers): Promise<Group> {
  const ticks = { count: 900, paceMs: 0, bytes: 1000 };
  const variants = variantsOf(servers).map(({ name, role, server }): Variant => {
    return { name, role, run: () => perLine(server, ticks) };
  });
  for (const { run } of variants) await run(1);
  return {
    title: 'Lines of 1 KB without a pause, for one line',
    measured: await measureInterleaved(variants, { rounds: 15, turnMs: 0, warmUpMs: 0 }),
    targets: [],
  };
}

/** From the first line that comes to the last one: what begins and ends a turn is no part of it. */
async function perLine(server: TickServer, ticks: Ticks): Promise<number> {
  let firstAt: number | undefined;
  let lastAt = 0;
  await (await server.open()).read(ticks, () => {
    lastAt = performance.now();
    firstAt ??= lastAt;
  });
  return (lastAt - (firstAt ?? lastAt)) / (ticks.count - 1);
}
