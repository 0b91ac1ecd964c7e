import { useSyncExternalStore } from 'react';

/** What the address names: it stands in the fragment, which is sent to nobody. */
export type Place =
  | { readonly page: 'home' }
  | { readonly page: 'session'; readonly id: string }
  | { readonly page: 'tools'; readonly name: string | undefined }
  | { readonly page: 'plugins' };

export function readPlace(hash: string): Place {
  const [, page, rest] = hash.split('/');
  const name = rest === undefined || rest === '' ? undefined : nameOf(rest);
  if (page === 'session' && name !== undefined) return { page, id: name };
  if (page === 'tools') return { page, name };
  if (page === 'plugins') return { page };
  return { page: 'home' };
}

/** Undefined for what would lead a request elsewhere, whatever it is written as: dots are parts of paths. */
function nameOf(text: string): string | undefined {
  const name = decode(text);
  return /^\.{1,2}$/.test(name) ? undefined : name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hashOf(place: Place): string {
  if (place.page === 'session') return `#/session/${encodeURIComponent(place.id)}`;
  if (place.page === 'tools') return place.name === undefined ? '#/tools' : `#/tools/${encodeURIComponent(place.name)}`;
  return place.page === 'plugins' ? '#/plugins' : '#/';
}

export function go(place: Place): void {
  location.hash = hashOf(place);
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(watchHash, () => location.hash);
  return readPlace(hash);
}

function watchHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
