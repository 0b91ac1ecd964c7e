import { type Open, scanTsx } from './scan-tsx.ts';

/** Each candidate costs a run of the compiler. */
const MAX_CANDIDATES = 9;

/**
 * TSX or JSON that a model has not written to its end, made whole: what is open is closed, and what has only begun is left
 * out. The most complete comes first; the caller takes the first that compiles.
 */
export function closeUnfinished(code: string): string[] {
  const { open, ending, cuts } = scanTsx(code);
  const whole = wholeTo(code, open, ending);
  const cut = cuts.toReversed().map(({ at, open: openThere }) => closed(code.slice(0, at), openThere));
  // Inside an expression the last words are mostly half of something; as text of an element or an attribute they are not.
  const isText = open?.kind === 'children' || (open?.kind === 'tag' && ending !== '');
  const ordered = isText ? [whole, ...cut] : [...cut, whole];
  // Of what has only begun there is nothing to keep.
  return [...new Set([...ordered.slice(0, MAX_CANDIDATES - 1), ''])];
}

function wholeTo(code: string, open: Open | undefined, ending: string): string {
  if (open?.kind === 'tag' && ending === '') return closed(code.slice(0, open.start), open.parent, true);
  const end = open?.kind === 'children' ? code.lastIndexOf('</') : -1;
  // An end tag that has only begun.
  const kept = end > (open?.start ?? 0) && !code.includes('>', end) ? code.slice(0, end) : code;
  return closed(kept.replace(/<$/, ''), open, false, ending);
}

/** `isValueMissing`: an element stood here, of which there is too little; in an expression its place needs a value. */
function closed(code: string, open: Open | undefined, isValueMissing = false, ending = ''): string {
  const isInScript = open?.kind !== 'children' && open?.kind !== 'tag';
  let text = code + ending + (isValueMissing && isInScript ? 'null' : '');
  for (let one = open; one; one = one.parent) text += closerOf(one);
  return text;
}

function closerOf({ kind, name }: Open): string {
  switch (kind) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '`':
      return '`';
    case 'tag':
      return '/>';
    case 'children':
      return `</${name}>`;
  }
}
