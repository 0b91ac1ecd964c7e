import type { Scheme } from './messages.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Scheme | undefined;

export function getScheme(): Scheme {
  return chosen ?? (dark.matches ? 'dark' : 'light');
}

export function onScheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Light or dark as the page around it is. */
export function setScheme(scheme: Scheme): void {
  if (chosen === scheme) return;
  chosen = scheme;
  document.documentElement.style.colorScheme = scheme;
  document.documentElement.dataset.scheme = scheme;
  for (const listener of listeners) listener();
}
