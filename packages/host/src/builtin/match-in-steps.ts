/**
 * A step of a pattern: `one` takes a character that it accepts, `name` any number within a name, `all` any number,
 * `maybe` jumps over the next step or not, `through-slash` takes all up to some slash.
 */
export type Step =
  | { readonly kind: 'one'; accepts(character: string): boolean }
  | { readonly kind: 'name' | 'all' | 'maybe' | 'through-slash' };

/**
 * Whether the steps match the whole text. Follows all ways at once, in time proportional to steps x text, where a
 * regular expression tries one way after the other and takes for ever on `*a*a*a*a*b`.
 */
export function matchInSteps(steps: readonly Step[], text: string): boolean {
  let places = new Set<number>();
  reach(places, 0, steps);
  for (const character of text) {
    const next = new Set<number>();
    for (const at of places) {
      const step = steps[at];
      if (step?.kind === 'one' && step.accepts(character)) reach(next, at + 1, steps);
      else if (step?.kind === 'all' || (step?.kind === 'name' && character !== '/')) reach(next, at, steps);
      else if (step?.kind === 'through-slash') {
        next.add(at);
        if (character === '/') reach(next, at + 1, steps);
      }
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(steps.length);
}

/** Adds a place and those that are reached from it without a character. */
function reach(places: Set<number>, start: number, steps: readonly Step[]): void {
  for (let at = start; ; ) {
    places.add(at);
    const kind = steps[at]?.kind;
    if (kind === 'maybe') {
      places.add(at + 1);
      at += 2;
    } else if (kind === 'name' || kind === 'all') at += 1;
    else return;
  }
}
