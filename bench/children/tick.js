// What both servers of the bench do: lines with the time at which each leaves, by a clock that all processes share.
import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises';

/** `paceMs` 0: one in each round of the event loop. Each line has its time, its number and `tag`, filled up to so many bytes. */
export async function tick({ count, paceMs, bytes }, tag, output) {
  const filling = 'x'.repeat(Math.max(0, Number(bytes) - 30 - tag.length));
  for (let index = 1; index <= Number(count); index += 1) {
    await (Number(paceMs) > 0 ? sleep(Number(paceMs)) : nextLoop());
    output(`${process.hrtime.bigint()} ${index} ${tag} ${filling}\n`);
  }
}
