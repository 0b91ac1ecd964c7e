/**
 * A glob in which parentheses that group nothing stand for themselves, as in shells and ripgrep: `app/(shop)/**` is the
 * folder `(shop)`. `@(a|b)` and the like, and `(a|b)`, stay what they are.
 */
export function withLiteralParentheses(glob: string): string {
  if (!/[()]/.test(glob)) return glob;
  const literal = new Set<number>();
  const open: { at: number; isGroup: boolean }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at];
    if (character === '\\') at++;
    else if (character === '[') at = endOfSet(glob, at);
    else if (character === '(') open.push({ at, isGroup: EXTENDED.has(glob[at - 1] ?? '') });
    else if (character === '|') for (const group of open.slice(-1)) group.isGroup = true;
    else if (character === ')') {
      const group = open.pop();
      if (group?.isGroup !== true) literal.add(at);
      if (group?.isGroup === false) literal.add(group.at);
    }
  }
  for (const { at } of open) literal.add(at);
  return Array.from(glob.split(''), (character, at) => (literal.has(at) ? `\\${character}` : character)).join('');
}

const EXTENDED = new Set(['!', '?', '*', '+', '@']);

/** Where the set that begins here ends; here when it never does, since the bracket is then a character. */
function endOfSet(glob: string, start: number): number {
  const end = glob.indexOf(']', start + 2);
  return end < 0 ? start : end;
}
