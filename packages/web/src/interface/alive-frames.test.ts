import { expect, it } from 'vitest';
import { createAliveFrames } from './alive-frames.ts';

function join(frames: ReturnType<typeof createAliveFrames>) {
  const seat = { isAlive: false };
  return { seat, ...frames.join((isAlive) => Object.assign(seat, { isAlive })) };
}

it('gives life to what is near, keeps the last ones that were, and ends the one that was near first', () => {
  const frames = createAliveFrames(2);
  const [one, two, three] = [join(frames), join(frames), join(frames)];
  const alive = () => [one, two, three].map(({ seat }) => seat.isAlive);
  expect(alive()).toEqual([false, false, false]);
  one.setNear(true);
  one.setNear(false);
  two.setNear(true);
  expect(alive()).toEqual([true, true, false]);
  three.setNear(true);
  expect(alive()).toEqual([false, true, true]);
  three.leave();
  expect([one.seat.isAlive, two.seat.isAlive]).toEqual([true, true]);
});

it('prefers what is near now to what was near later', () => {
  const frames = createAliveFrames(1);
  const [one, two] = [join(frames), join(frames)];
  one.setNear(true);
  two.setNear(true);
  two.setNear(false);
  expect([one.seat.isAlive, two.seat.isAlive]).toEqual([true, false]);
});
