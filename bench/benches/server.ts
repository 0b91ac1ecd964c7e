import type { Group } from '../report.ts';
import { startBareServer } from '../server/bare-server.ts';
import { measureLatency, measureThroughput } from '../server/latency.ts';
import { holdSessions } from '../server/many-sessions.ts';
import { startToolpost } from '../server/toolpost-server.ts';
import { makeFolder } from '../toolpost-host.ts';

/** How long memory is watched: TOOLPOST_BENCH_MINUTES=10 for a run that says something. */
const MINUTES = Number(process.env.TOOLPOST_BENCH_MINUTES ?? '0.5');

/** `toolpost serve` in a process of its own, with this one as its client: what a plugin prints, until it is here. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const servers = { bare: await startBareServer(), toolpost: await startToolpost(folder) };
  yield* measureLatency(servers);
  const throughput = await measureThroughput(servers);
  yield { ...throughput, notes: await holdSessions(servers.toolpost, MINUTES) };
  await Promise.all([servers.bare.close(), servers.toolpost.close()]);
  folder.remove();
}
