import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const NEAR_PX = 80;

/** Keeps the end of what grows in sight, as long as it was in sight. */
export function useStickToEnd(box: RefObject<HTMLElement | null>) {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [box]);

  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      sticks.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      setAtEnd(sticks.current);
    };
    const observer = new ResizeObserver(() => {
      if (sticks.current) element.scrollTo({ top: element.scrollHeight });
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [box]);

  return { isAtEnd, toEnd };
}
