import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { repeat } from '../repeat.ts';
import type { Group } from '../report.ts';
import { callTool, type OpenHost } from '../toolpost-host.ts';
import { BareThread } from './bare-thread.ts';
import { callGuest, otherSession } from './guests.ts';

const LIMIT_MS = 150;
/** What a guest may take from its deadline until nothing of it is left. */
const STOPPED_MS = 250;

/** From a call's deadline until its caller has the outcome, and thread, processes and host are gone. */
export async function measureStops(open: () => Promise<OpenHost>): Promise<Group> {
  const loop = JSON.stringify({ op: 'loop' });
  const blocked = JSON.stringify({ op: 'spawn', command: 'sleep 60' });
  const variants: Variant[] = [
    { name: 'bare thread in a loop: terminate()', role: 'floor', run: endBareThread },
    { name: 'Toolpost, a guest in an endless loop', role: 'toolpost', run: () => overrun(open, loop) },
    { name: 'Toolpost, a guest blocked in spawn', role: 'toolpost', run: () => overrun(open, blocked) },
  ];
  const measured = await measureInterleaved(variants, { rounds: 15, turnMs: 0, warmUpMs: 0 });
  const worst = Math.max(...measured.filter(({ role }) => role === 'toolpost').flatMap(({ rounds }) => rounds));
  const verdict = worst <= STOPPED_MS ? 'within' : 'NOT WITHIN';
  return {
    title: 'From the deadline until nothing of the call is left, host closed',
    measured,
    targets: [],
    notes: [`the longest took ${worst.toFixed(0)} ms: ${verdict} ${STOPPED_MS} ms`],
  };
}

async function endBareThread(): Promise<number> {
  const thread = await BareThread.start();
  await thread.send('loop');
  const startedAt = performance.now();
  await thread.close();
  return performance.now() - startedAt;
}

async function overrun(open: () => Promise<OpenHost>, input: string): Promise<number> {
  const toolpost = await open();
  await callGuest(toolpost, 'guest');
  const { host, session } = toolpost;
  const startedAt = performance.now();
  const call = { id: 'call-1', name: 'guest', arguments: input };
  const { outcome, text } = await host.callTool(call, session, { timeoutMs: LIMIT_MS });
  await toolpost.close();
  if (outcome !== 'timed-out') throw new Error(`the call ended ${outcome}: ${text}`);
  return performance.now() - startedAt - LIMIT_MS;
}

const FLOOD = JSON.stringify({ op: 'log', text: 'x'.repeat(80), count: 20_000 });
const CALM = 'Toolpost, a call with nothing beside it';
const FLOODED = 'Toolpost, the same while another guest floods its log';

/** What a flood of log lines, cut to its rate, costs the calls beside it and the one that it comes from. */
export async function measureLogFlood(toolpost: OpenHost): Promise<Group> {
  const calls = repeat(() => callGuest(toolpost, 'guest'));
  const beside = otherSession(toolpost);
  const variants: Variant[] = [
    { name: CALM, role: 'floor', run: calls },
    { name: FLOODED, role: 'toolpost', run: (count) => besideFlood(beside, () => calls(count)) },
    {
      name: 'Toolpost, a call that logs 20,000 lines',
      role: 'beside',
      run: repeat(() => callTool(beside, 'guest', FLOOD)),
    },
  ];
  const measured = await measureInterleaved(variants, { rounds: 15, turnMs: 100, warmUpMs: 500 });
  await toolpost.close();
  const text = 'a flood beside a call slows it at most 2 x';
  const targets = [{ text, of: FLOODED, to: CALM, atMost: 2 }];
  return { title: 'A flood of log lines, which is cut to 200 a second', measured, targets };
}

/** The milliseconds that the work takes from when the flood has begun. */
async function besideFlood(flooding: OpenHost, work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  await callTool(flooding, 'guest', FLOOD);
  const flood = (async () => {
    while (!isOver) await callTool(flooding, 'guest', FLOOD);
  })();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  isOver = true;
  await flood;
  return tookMs;
}

/** From the call until its client has the first piece of what a command prints. */
export async function measureFirstChunk(toolpost: OpenHost): Promise<Group> {
  const variants: Variant[] = [
    { name: 'child process of this one', role: 'floor', run: repeat(firstOfChild) },
    { name: 'Toolpost, spawn of a guest', role: 'toolpost', run: (count) => firstOfGuest(toolpost, count) },
  ];
  const measured = await measureInterleaved(variants, { rounds: 15, turnMs: 100, warmUpMs: 500, isEachTimed: true });
  await toolpost.close();
  return { title: 'To the first piece of output of a command, echo', measured, targets: [] };
}

async function firstOfChild(): Promise<void> {
  const child = spawn('sh', ['-c', 'echo first'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
}

async function firstOfGuest({ host, session }: OpenHost, count: number): Promise<number> {
  let waitedMs = 0;
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    let firstAt: number | undefined;
    const call = { id: 'call-1', name: 'guest', arguments: '{"op":"spawn","command":"echo first"}' };
    const { outcome, text } = await host.callTool(call, session, {
      onEvent({ type }) {
        if (type === 'tool-output-delta') firstAt ??= performance.now();
      },
    });
    if (outcome !== 'completed' || firstAt === undefined) throw new Error(`spawn ended ${outcome}: ${text}`);
    waitedMs += firstAt - startedAt;
  }
  return waitedMs;
}
