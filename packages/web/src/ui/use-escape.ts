import { useEffectEvent, useLayoutEffect } from 'react';

/** What Esc may mean, from the innermost to the outermost. */
const LAYERS = ['menu', 'edit', 'sessions', 'inspector', 'panel', 'turn'] as const;

export type EscapeLayer = (typeof LAYERS)[number];

interface Listener {
  readonly layer: EscapeLayer;
  readonly act: () => void;
}

const listeners = new Set<Listener>();

/** What Esc does while `isOpen`: of all that are open the innermost one alone hears of it, wherever the focus is. */
export function useEscape(layer: EscapeLayer, isOpen: boolean, onEscape: () => void): void {
  const act = useEffectEvent(onEscape);
  // From the moment that it is seen to be open.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const listener: Listener = { layer, act: () => act() };
    if (listeners.size === 0) document.addEventListener('keydown', onKeyDown);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, [layer, isOpen]);
}

function onKeyDown(event: KeyboardEvent): void {
  // While an input method composes a word, Esc belongs to it; and to a search field that it empties.
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isFilledSearch(event.target)) return;
  const innermost = [...listeners].toSorted((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer)).at(0);
  event.preventDefault();
  innermost?.act();
}

function isFilledSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
}
