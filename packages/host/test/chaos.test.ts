import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findMarkedProcesses, hostMarker } from '../src/processes/process-marker.ts';
import { reapOrphans } from '../src/processes/reap-orphans.ts';
import { PluginCrash } from '../src/runtimes/runtime.ts';
import { createTestCallContext } from '../src/runtimes/test-contexts.ts';
import { loadTestPlugin, newDir } from './load-test-plugin.ts';

/** TOOLPOST_CHAOS=1000 is the long run; TOOLPOST_CHAOS_SEED repeats one. */
const LIVES = Number(process.env.TOOLPOST_CHAOS ?? 60);
const SEED = Number(process.env.TOOLPOST_CHAOS_SEED ?? 20_261_130);
const AT_ONCE = 4;
const LIMIT_MS = 60_000 + LIVES * 1000;

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomFrom>;
type Loaded = Awaited<ReturnType<typeof loadTestPlugin>>;

async function settled(call: unknown): Promise<'answered' | 'crashed'> {
  try {
    await call;
    return 'answered';
  } catch (error) {
    if (!(error instanceof PluginCrash)) throw error;
    return 'crashed';
  }
}

/** One way in which a life of a plugin goes; each leaves sleepers behind, half of them out of their group. */
const EVENTS: ((loaded: Loaded, random: Random) => Promise<string>)[] = [
  async ({ plugin }) => `call ${await settled(start(plugin, { how: 'answer' }).result)}`,
  async ({ plugin }) => `daemon ${await settled(start(plugin, { how: 'daemon' }).result)}`,
  async ({ plugin }) => `crash ${await settled(start(plugin, { how: 'crash daemon' }).result)}`,
  async ({ plugin }, random) => {
    const { context, result } = start(plugin, { how: 'hold' });
    const timer = setTimeout(() => context.abort(random(2) ? 'timed-out' : 'cancelled'), random(40));
    const end = await settled(result);
    clearTimeout(timer);
    return `abort ${end}`;
  },
  async ({ plugin }, random) => {
    const call = settled(start(plugin, { how: 'hold' }).result);
    await new Promise((resolve) => setTimeout(resolve, random(30)));
    await plugin.close();
    return `close ${await call}`;
  },
];

function start(plugin: Loaded['plugin'], input: { how: string }) {
  const [tool] = plugin.tools;
  if (!tool) throw new Error('no tool');
  const context = createTestCallContext(input);
  return { context, result: plugin.execute(tool, input, context) };
}

async function live(random: Random): Promise<string[]> {
  const loaded = await loadTestPlugin('grandchildren');
  const happened: string[] = [];
  for (let round = 1 + random(3); round > 0; round--) {
    const event = EVENTS[random(EVENTS.length)];
    happened.push((await event?.(loaded, random)) ?? '');
    if (happened.at(-1)?.startsWith('close')) break;
    await loaded.plugin.ready();
  }
  await loaded.plugin.close();
  return happened;
}

describe.runIf(process.platform === 'linux')('chaos', () => {
  it(
    `leaves no process after ${LIVES} random lives of plugins with grandchildren`,
    async () => {
      const counts = new Map<string, number>();
      let next = 0;
      const lane = async (): Promise<void> => {
        while (next < LIVES) {
          const events = await live(randomFrom(SEED + next++));
          for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      expect(await findMarkedProcesses([hostMarker()])).toEqual([]);
      const kinds = ['call answered', 'daemon answered', 'crash crashed', 'abort crashed', 'close crashed'];
      expect([...counts.keys()].sort()).toEqual(kinds.sort());
      if (process.env.TOOLPOST_CHAOS) console.info(Object.fromEntries(counts));
    },
    LIMIT_MS,
  );

  it('leaves none after the next start when the host was killed with plugins and grandchildren', async () => {
    const homeDir = newDir();
    const { host, marker } = await startHost(homeDir);
    expect((await findMarkedProcesses([marker])).length).toBeGreaterThan(5);
    host.kill('SIGKILL');
    await once(host, 'exit');
    const counts = await Promise.all([reapOrphans(homeDir), reapOrphans(homeDir)]);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(5);
    expect(await findMarkedProcesses([marker])).toEqual([]);
  });
});

/** A host process of its own that has three plugins with sleepers running. */
async function startHost(homeDir: string): Promise<{ host: ChildProcess; marker: string }> {
  const file = fileURLToPath(new URL('chaos-host.ts', import.meta.url));
  const host = spawn(process.execPath, [file, join(homeDir)], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const marker of createInterface({ input: host.stdout })) return { host, marker };
  throw new Error('the host said nothing');
}
