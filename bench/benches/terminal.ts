import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Measured } from '../interleave.ts';
import type { Group } from '../report.ts';
import { median, quantile } from '../statistics.ts';
import type { Redraw, RedrawnSession } from '../terminal/redrawn-session.ts';

const EVENTS = 10_000;
const ROUNDS = 5;
const REDRAWS = 60;
const BUDGET_MS = 16;
const BUDGET = `${BUDGET_MS} ms, the time of a frame`;
const SHORT = 'a session of 100 events';
const LONG = `a session of ${EVENTS} events`;

type OpenSession = (count: number) => Promise<RedrawnSession>;

/** The client of the terminal in this process: from an event until its frame is written, while a turn streams. */
export async function* measure(): AsyncGenerator<Group> {
  const open = await loadClient();
  const sessions = [
    { name: SHORT, role: 'beside' as const, session: await open(100), rounds: [] as Redraw[][] },
    { name: LONG, role: 'toolpost' as const, session: await open(EVENTS), rounds: [] as Redraw[][] },
  ];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { session, rounds } of sessions) rounds.push(await take(session));
  const measured = sessions.map(({ name, role, rounds }) => toMeasured({ name, role }, rounds));
  const long = sessions[1];
  yield {
    title: 'One redraw of the terminal while a turn streams',
    measured: [budget(), ...measured],
    targets: [
      { text: 'a redraw takes less than a frame', of: LONG, to: BUDGET, atMost: 1 },
      { text: 'the length of the session costs nothing', of: LONG, to: SHORT, atMost: 1.5 },
    ],
    notes: describe(long?.rounds.flat() ?? [], long?.session.openedMs ?? 0),
  };
  for (const { session } of sessions) session.close();
}

/** The client is JSX, which Node does not take: it is bundled as the command is. */
async function loadClient(): Promise<OpenSession> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const dir = await mkdtemp(path.join(tmpdir(), 'toolpost-bench-'));
  const bundler = await rolldown({
    cwd: root,
    input: path.join(root, 'bench/terminal/redraw-session.ts'),
    platform: 'node',
    plugins: [noDevtools],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  });
  await bundler.write({ dir, format: 'esm', entryFileNames: '[name].mjs', codeSplitting: false });
  await bundler.close();
  const { openRedrawnSession } = await import(pathToFileURL(path.join(dir, 'redraw-session.mjs')).href);
  rmSync(dir, { recursive: true });
  return openRedrawnSession;
}

/** Ink loads them where it is asked to be debugged. */
const noDevtools = {
  name: 'no-react-devtools',
  resolveId: (source: string) => (source === 'react-devtools-core' ? '\0devtools' : undefined),
  load: (id: string) => (id === '\0devtools' ? 'export default undefined;' : undefined),
};

async function take(session: RedrawnSession): Promise<Redraw[]> {
  const times: Redraw[] = [];
  for (let at = 0; at < REDRAWS; at += 1) times.push(await session.redraw());
  return times;
}

function toMeasured(who: Pick<Measured, 'name' | 'role'>, rounds: readonly Redraw[][]): Measured {
  const inRounds = rounds.map((round) => round.map(({ ms }) => ms));
  const times = inRounds.flat();
  return {
    ...who,
    median: median(times),
    p90: quantile(times, 0.9),
    samples: times.length,
    rounds: inRounds.map(median),
  };
}

function budget(): Measured {
  const rounds = Array.from({ length: ROUNDS }, () => BUDGET_MS);
  return { name: BUDGET, role: 'floor', median: BUDGET_MS, p90: BUDGET_MS, samples: ROUNDS, rounds };
}

function describe(redraws: readonly Redraw[], openedMs: number): string[] {
  const text = (key: keyof Redraw) => {
    const times = redraws.map((one) => one[key]);
    const late = times.filter((ms) => ms > BUDGET_MS).length;
    return `median ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, over ${BUDGET_MS} ms ${late} of ${times.length}`;
  };
  return [
    `on the clock: ${text('ms')}`,
    `of the processor: ${text('processorMs')}`,
    `a session of ${EVENTS} events, all of it shown, was there after ${openedMs.toFixed(0)} ms`,
  ];
}
