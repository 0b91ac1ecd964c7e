import type { Group } from '../report.ts';
import { makeFolder } from '../toolpost-host.ts';
import { measureAtOnce, measureCalls } from '../wasm/calls.ts';
import { measureFirstChunk, measureLogFlood, measureStops } from '../wasm/ends.ts';
import { makeGuests } from '../wasm/guests.ts';
import { instanceMemory } from '../wasm/memory.ts';
import { measureReady } from '../wasm/ready.ts';

/** Tools in WebAssembly components, each instance in a thread of its own: calls, starts, ends, and memory. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const guests = await makeGuests(folder);
  const known = `${folder.dir}/known`;
  yield await measureCalls(await guests.open(known));
  yield await measureAtOnce(await guests.open(known));
  const ready = await measureReady(guests, { known, freshHome: folder.freshHome });
  yield { ...ready, notes: await instanceMemory(folder.dir, known) };
  yield await measureStops(() => guests.openOne(known, 'guest'));
  yield await measureFirstChunk(await guests.openOne(known, 'guest'));
  yield await measureLogFlood(await guests.openOne(known, 'guest'));
  folder.remove();
}
