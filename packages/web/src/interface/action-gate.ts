const BURST = 5;
const REFILL_MS = 1_000;

/**
 * Whether an interface may act now: only shortly after somebody used it, and not in floods. What runs in a frame could
 * otherwise act by itself, as often as it likes.
 */
export function createActionGate(now: () => number, isUsed: () => boolean): () => string | undefined {
  let left = BURST;
  let filledAt = now();
  return () => {
    if (!isUsed()) return 'an interface acts only when it is used';
    const at = now();
    left = Math.min(BURST, left + (at - filledAt) / REFILL_MS);
    filledAt = at;
    if (left < 1) return 'that was too much at once: try again in a moment';
    left -= 1;
    return undefined;
  };
}

/** A click or a key in a frame counts as one in the page around it, for a few seconds. Old browsers do not tell. */
export function isPageUsed(): boolean {
  const activation: { readonly isActive: boolean } | undefined = navigator.userActivation;
  return activation?.isActive ?? true;
}
