import { useSyncExternalStore } from 'react';

/** As wide as the style sheets call a phone. */
const narrow = matchMedia('(width < 800px)');

/** Whether there is no room for two things beside each other. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
