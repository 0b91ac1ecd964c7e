import { expect, it } from 'vitest';
import { createSilentFrames, type Member } from './silent-frames.ts';

function member(isSilent: boolean, lastUsedAt: number): Member & { ended: string[] } {
  const ended: string[] = [];
  return { isSilent: () => isSilent, lastUsedAt: () => lastUsedAt, end: (why) => ended.push(why), ended };
}

it('ends the one that was used last of those that are silent together, and begins the others anew', () => {
  const frames = createSilentFrames();
  const [first, guilty, talking, gone] = [member(true, 1), member(true, 5), member(false, 9), member(true, 8)];
  for (const one of [first, guilty, talking]) frames.join(one);
  frames.join(gone)();
  frames.endWith(first);
  expect([first.ended, guilty.ended, talking.ended, gone.ended]).toEqual([['beside'], ['silent'], [], []]);
});
