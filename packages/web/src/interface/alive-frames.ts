/** Each is a page of its own with libraries in it: a long conversation must not keep all of them. */
const MAX_ALIVE = 6;

interface Seat {
  isNear: boolean;
  /** When it was near for the last time, counted. */
  nearAt: number;
  isAlive: boolean;
  readonly setAlive: (isAlive: boolean) => void;
}

export interface AliveFrames {
  /** Takes part until the function is called that it gives. `setAlive` is told whether its frame may be there. */
  join(setAlive: (isAlive: boolean) => void): { setNear(isNear: boolean): void; leave(): void };
}

/** Which frames are alive: those near what is seen, and of the others the last ones, so that they keep their state. */
export function createAliveFrames(most = MAX_ALIVE): AliveFrames {
  const seats = new Set<Seat>();
  let count = 0;

  function settle(): void {
    const wanted = [...seats]
      .filter(({ nearAt }) => nearAt > 0)
      .sort((one, other) => Number(other.isNear) - Number(one.isNear) || other.nearAt - one.nearAt)
      .slice(0, most);
    const alive = new Set(wanted);
    for (const seat of seats) {
      const isAlive = alive.has(seat);
      if (seat.isAlive === isAlive) continue;
      seat.isAlive = isAlive;
      seat.setAlive(isAlive);
    }
  }

  return {
    join(setAlive) {
      const seat: Seat = { isNear: false, nearAt: 0, isAlive: false, setAlive };
      seats.add(seat);
      return {
        setNear(isNear) {
          count += 1;
          seat.isNear = isNear;
          if (isNear) seat.nearAt = count;
          settle();
        },
        leave() {
          seats.delete(seat);
          settle();
        },
      };
    },
  };
}

export const aliveFrames = createAliveFrames();
