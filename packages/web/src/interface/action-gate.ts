import { holdsFocus } from './focus-guard.ts';

const BURST = 5;
const REFILL_MS = 1_000;

/** Why an interface may not act now: not in floods. Undefined when it may. `now` is in ms. */
export function createActionGate(now: () => number): () => string | undefined {
  let left = BURST;
  let filledAt = now();
  return () => {
    const at = now();
    left = Math.min(BURST, left + (at - filledAt) / REFILL_MS);
    filledAt = at;
    if (left < 1) return 'that was too much at once: try again in a moment';
    left -= 1;
    return undefined;
  };
}

/**
 * Whether somebody uses this frame right now: it has the focus, which it was given, and there was a click or a key a few seconds ago,
 * which counts in the page around it too. What runs in it could otherwise act by itself. Old browsers tell the focus only.
 */
export function isUsed(frame: HTMLIFrameElement): boolean {
  const activation: { readonly isActive: boolean } | undefined = navigator.userActivation;
  return holdsFocus(frame) && (activation?.isActive ?? true);
}
