// Starts instances, has each answer once, and prints how many MB the process has then.
import { setTimeout as sleep } from 'node:timers/promises';
import { openExtism } from '../peers/extism.ts';
import { BareThread } from '../wasm/bare-thread.ts';
import { callGuest, guestsIn, otherSession } from '../wasm/guests.ts';

const [kind, ...rest] = process.argv.slice(2);
const count = Number(rest.pop());

/** Long enough for what is left of the start to be collected or given back. */
const SETTLE_MS = 1000;

await hold();
await sleep(SETTLE_MS);
process.stdout.write(`${process.memoryUsage.rss() / 1_000_000}\n`, () => process.exit());

async function hold(): Promise<void> {
  if (kind === 'thread') return onEach(async () => void (await BareThread.start()));
  if (kind === 'extism')
    return onEach(async () => void (await (await openExtism({ runInWorker: true })).call('start')));
  if (kind !== 'guest' && kind !== 'echo-js') throw new Error(`there is no kind of instance ${kind}`);
  const [dir = '', home = ''] = rest;
  const toolpost = await guestsIn(dir).openOne(home, kind);
  await onEach(async () => void (await callGuest(otherSession(toolpost), kind)));
}

async function onEach(start: () => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index += 1) await start();
}
