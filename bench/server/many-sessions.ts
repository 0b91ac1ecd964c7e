import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../statistics.ts';
import type { Ticks } from './ticks.ts';
import { linesOf, type ToolpostProcess } from './toolpost-server.ts';

const SESSIONS = 50;
const TICKS: Ticks = { count: 100, paceMs: 10, bytes: 120 };
const REST_MS = 100;
/** Memory that grows by more than this from the second third of the time to the last one is not flat. */
const FLAT_SHARE = 0.1;

/**
 * Turns in 50 sessions at once, again and again for some minutes, each with a tool that streams. Gives sentences.
 * @throws Error when an event is lost, out of order, or another session's.
 */
export async function holdSessions(toolpost: ToolpostProcess, minutes: number): Promise<string[]> {
  const megabytes: number[] = [];
  const endsAt = performance.now() + minutes * 60_000;
  let events = 0;
  do {
    const counts = await Promise.all(Array.from({ length: SESSIONS }, () => checkedTurn(toolpost)));
    events += counts.reduce((sum, count) => sum + count, 0);
    megabytes.push(residentMb(toolpost.pid));
    await sleep(REST_MS);
  } while (performance.now() < endsAt);
  const turns = megabytes.length * SESSIONS;
  return [
    `${SESSIONS} sessions at once, ${turns} turns, ${events} events: none lost, reordered or crossed`,
    describeMemory(megabytes, minutes),
  ];
}

/** One turn in a new session. Returns how many events it had. */
async function checkedTurn(toolpost: ToolpostProcess): Promise<number> {
  let seq = 0;
  let lines = 0;
  const sessions = new Set<string>();
  const session = await toolpost.openSession();
  await session.turn('ticker_function', TICKS, (event) => {
    seq += 1;
    if (event.seq !== seq) throw new Error(`event ${event.seq} came in the place of ${seq}`);
    sessions.add(event.sessionId ?? '');
    for (const line of linesOf(event)) {
      const [, number, printedIn = ''] = line.split(' ', 3);
      lines += 1;
      if (Number(number) !== lines) throw new Error(`line ${number} came in the place of ${lines}`);
      sessions.add(printedIn);
    }
  });
  if (lines !== TICKS.count) throw new Error(`${lines} of ${TICKS.count} lines came`);
  if (sessions.size !== 1 || !sessions.has(session.id)) throw new Error(`${session.id} got events of ${[...sessions]}`);
  return seq;
}

/** The first third of the time is for what a server has to get used to. */
function describeMemory(megabytes: readonly number[], minutes: number): string {
  const third = Math.floor(megabytes.length / 3);
  if (third === 0) return `memory of the server: ${megabytes.at(-1)?.toFixed(0)} MB; too short to say more`;
  const second = median(megabytes.slice(third, 2 * third));
  const last = median(megabytes.slice(-third));
  const verdict = last <= second * (1 + FLAT_SHARE) ? 'flat' : 'NOT FLAT';
  const range = [Math.min(...megabytes), second, last].map((value) => value.toFixed(0));
  return `memory of the server over ${minutes} minutes: ${verdict}; least ${range[0]} MB, second third ${range[1]} MB, last third ${range[2]} MB`;
}

/** Linux only; elsewhere it is not a number. */
function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes) * 1024) / 1_000_000;
  } catch {
    return Number.NaN;
  }
}
