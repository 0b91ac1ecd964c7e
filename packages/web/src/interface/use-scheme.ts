import { useSyncExternalStore } from 'react';
import type { Scheme } from '../frame/messages.ts';

/** Light or dark, as the page is now. */
export function useScheme(): Scheme {
  return useSyncExternalStore(follow, schemeOf);
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function schemeOf(): Scheme {
  const chosen = document.documentElement.style.colorScheme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return dark.matches ? 'dark' : 'light';
}

function follow(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true });
  return () => {
    dark.removeEventListener('change', listener);
    observer.disconnect();
  };
}
