import { measureInterleaved, type Plan, type Variant } from '../interleave.ts';
import { openExtism } from '../peers/extism.ts';
import type { Group } from '../report.ts';
import type { Folder, OpenHost } from '../toolpost-host.ts';
import { BareThread } from './bare-thread.ts';
import { callGuest, type GuestId, otherSession, type WasmGuests } from './guests.ts';

const THREAD = 'bare thread';
const KNOWN = 'Toolpost, component in C';
const PLAN: Plan = { rounds: 9, turnMs: 0, warmUpMs: 0 };

/** `known` has been the home of a host with both guests. */
interface Homes extends Pick<Folder, 'freshHome'> {
  readonly known: string;
}

/** From nothing, or from an open host, to the first answer. */
export async function measureReady(guests: WasmGuests, { known, freshHome }: Homes): Promise<Group> {
  const open = await guests.open(known);
  const first = (id: GuestId, home: () => string) => () => untilAnswer(() => guests.openOne(home(), id), id);
  const next = (id: GuestId) => async () => {
    const startedAt = performance.now();
    await callGuest(otherSession(open), id);
    return performance.now() - startedAt;
  };
  const variants: Variant[] = [
    { name: THREAD, role: 'floor', run: () => untilOpen(BareThread.start) },
    { name: KNOWN, role: 'toolpost', run: first('guest', () => known) },
    { name: 'Toolpost, component of TypeScript', role: 'toolpost', run: first('echo-js', () => known) },
    { name: 'a further session of an open host, C', role: 'toolpost', run: next('guest') },
    { name: 'a further session of an open host, TypeScript', role: 'toolpost', run: next('echo-js') },
    { name: 'nothing in the cache, C', role: 'toolpost', run: first('guest', freshHome) },
    { name: 'nothing in the cache, TypeScript', role: 'toolpost', run: first('echo-js', freshHome) },
    { name: 'extism, plugin in a worker', role: 'peer', run: () => untilOpen(openAndCallExtism) },
  ];
  const measured = await measureInterleaved(variants, PLAN);
  await open.close();
  return {
    title: 'From nothing to the first answer of a WebAssembly component, host included',
    measured,
    targets: [{ text: 'with a warm cache: at most 3 x a bare thread', of: KNOWN, to: THREAD, atMost: 3 }],
  };
}

async function untilAnswer(open: () => Promise<OpenHost>, id: GuestId): Promise<number> {
  const startedAt = performance.now();
  const toolpost = await open();
  await callGuest(toolpost, id);
  const readyMs = performance.now() - startedAt;
  await toolpost.close();
  return readyMs;
}

async function untilOpen(open: () => Promise<{ close(): Promise<void> }>): Promise<number> {
  const startedAt = performance.now();
  const opened = await open();
  const readyMs = performance.now() - startedAt;
  await opened.close();
  return readyMs;
}

async function openAndCallExtism() {
  const peer = await openExtism({ runInWorker: true });
  await peer.call('start');
  return peer;
}
