import { measureInterleaved, type Plan, type Variant } from '../interleave.ts';
import { instantiateBare, openExtism } from '../peers/extism.ts';
import { repeat } from '../repeat.ts';
import type { Group } from '../report.ts';
import type { OpenHost } from '../toolpost-host.ts';
import { textOfLength } from '../workload.ts';
import { BareThread } from './bare-thread.ts';
import { callGuest, otherSession } from './guests.ts';

const THREAD = 'bare thread, postMessage there and back';
const OWN_C = 'Toolpost, component in C';
const OWN_JS = 'Toolpost, component of TypeScript';
const EXTISM = 'extism, plugin in a worker';

const LANES = 8;
const TEXT = textOfLength(100);
/** V8 compiles a guest's functions well only once they have run for a while. */
const PLAN: Plan = { rounds: 25, turnMs: 80, warmUpMs: 3000 };

/** One call after the other, through the whole call path with permissions and journal; extism has no such path. */
export async function measureCalls(toolpost: OpenHost): Promise<Group> {
  const thread = await BareThread.start();
  const same = await instantiateBare();
  const [near, far] = await Promise.all([false, true].map((runInWorker) => openExtism({ runInWorker })));
  if (!near || !far) throw new Error('two plugins were opened');
  const variants: Variant[] = [
    { name: THREAD, role: 'floor', run: repeat(() => thread.send(TEXT)) },
    { name: OWN_C, role: 'toolpost', run: repeat(() => callGuest(toolpost, 'guest')) },
    { name: OWN_JS, role: 'toolpost', run: repeat(() => callGuest(toolpost, 'echo-js')) },
    { name: EXTISM, role: 'peer', run: repeat(() => far.call(TEXT)) },
    { name: 'extism, plugin in this thread', role: 'beside', run: repeat(() => near.call(TEXT)) },
    { name: 'a core export, nothing around it', role: 'beside', run: callExport(same) },
  ];
  const measured = await measureInterleaved(variants, PLAN);
  await Promise.all([toolpost.close(), thread.close(), near.close(), far.close()]);
  return {
    title: 'One call in a WebAssembly component, one after the other, 100 B each way',
    measured,
    targets: [OWN_C, OWN_JS].flatMap((own) => [
      { text: `${own}: at most 2 x a round trip to a bare thread`, of: own, to: THREAD, atMost: 2 },
      { text: `${own}: at least 4 x faster than extism in a worker`, of: EXTISM, to: own, atLeast: 4 },
    ]),
  };
}

/** So short that nothing else may be in the loop. */
function callExport(same: (value: number) => number): Variant['run'] {
  return async (count) => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) sum += same(index & 7);
    if (sum < 0) throw new Error('the export gave something else');
    return undefined;
  };
}

/** Each lane has an instance or a thread of its own, and makes one call after the other. */
export async function measureAtOnce(toolpost: OpenHost): Promise<Group> {
  const sessions = lanes(() => otherSession(toolpost));
  const threads = await Promise.all(lanes(BareThread.start));
  const peers = await Promise.all(lanes(() => openExtism({ runInWorker: true })));
  // Starts are measured elsewhere.
  for (const session of sessions) {
    await callGuest(session, 'guest');
    await callGuest(session, 'echo-js');
  }
  const variants: Variant[] = [
    { name: THREAD, role: 'floor', run: inLanes(threads, (thread) => thread.send(TEXT)) },
    { name: OWN_C, role: 'toolpost', run: inLanes(sessions, (session) => callGuest(session, 'guest')) },
    { name: OWN_JS, role: 'toolpost', run: inLanes(sessions, (session) => callGuest(session, 'echo-js')) },
    { name: EXTISM, role: 'peer', run: inLanes(peers, (peer) => peer.call(TEXT)) },
  ];
  const measured = await measureInterleaved(variants, PLAN);
  await Promise.all([toolpost.close(), ...threads.map((one) => one.close()), ...peers.map((one) => one.close())]);
  return { title: `The same in ${LANES} instances at once, for one call`, measured, targets: [] };
}

function lanes<Item>(make: () => Item): Item[] {
  return Array.from({ length: LANES }, make);
}

function inLanes<Item>(items: readonly Item[], call: (item: Item) => Promise<unknown>): Variant['run'] {
  return async (count) => {
    let started = 0;
    const next = async (item: Item): Promise<void> => {
      while (started++ < count) await call(item);
    };
    await Promise.all(items.map(next));
    return undefined;
  };
}
