import { type RefObject, useEffect, useState } from 'react';
import { aliveFrames } from './alive-frames.ts';

/** Whether the frame in `place` is to be there now. */
export function useAlive(place: RefObject<HTMLElement | null>): boolean {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const seat = aliveFrames.join(setAlive);
    const observer = new IntersectionObserver(
      (changes) => seat.setNear(changes.some(({ isIntersecting }) => isIntersecting)),
      // Of the place that scrolls, not of what the page shows of it.
      { root: element.closest('.conversation'), rootMargin: '50% 0px' },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      seat.leave();
    };
  }, [place]);
  return isAlive;
}
