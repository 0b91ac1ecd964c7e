/** A word of a text, where it stands, and the stem that it is compared by. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** Words that say nothing about which tool is meant, and that lead in or trail off an argument. */
const STOP_WORDS = new Set(
  `a an and any are as at be been but by can could did do does for from get give had has have here how i if in into is
   it its just let like ll m make me my need now of on or our please re s say show so some t tell than that the
   their them then there these this those to tool too us use using ve want wants was we were what when where which who
   why will with would you your thanks thank call`.split(/\s+/),
);

export function isStopWord(word: Word): boolean {
  return STOP_WORDS.has(word.text.toLowerCase());
}

/** Splits at everything that is not a letter or a digit, and inside `camelCase`. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})|[\p{L}\p{N}]+/gu)) {
    const word = match[0];
    words.push({ text: word, stem: stem(word), start: match.index, end: match.index + word.length });
  }
  return words;
}

/** A rough English stem: `greets`, `greeting` and `greeted` are one, so are `double` and `doubling`. */
export function stem(word: string): string {
  let text = word.toLowerCase();
  if (text.length > 4 && text.endsWith('ies')) text = `${text.slice(0, -3)}y`;
  else if (text.length > 3 && text.endsWith('s') && !text.endsWith('ss')) text = text.slice(0, -1);
  if (text.length > 5 && text.endsWith('ing')) text = text.slice(0, -3);
  else if (text.length > 4 && text.endsWith('ed')) text = text.slice(0, -2);
  if (text.length > 3 && text.endsWith('e')) text = text.slice(0, -1);
  return text.replace(/([bcdfgklmnprstz])\1$/, '$1');
}
