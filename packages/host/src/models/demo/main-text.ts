import type { PickedTool } from './pick-tool.ts';
import { kindOf, type Property } from './property.ts';
import type { Sentence } from './sentence.ts';
import { isStopWord, type Word, wordsOf } from './words.ts';

/** Names of properties whose text is taken as it stands, quotes, dots and small words included. */
const VERBATIM = /^(?:command|cmd|script|code|sql|expression)$/i;

/**
 * The text for a property that could be anything: a quoted text, else what follows the matched verb ("greet Bob",
 * "weather in Oslo"), else what stands before it ("Oslo weather"). Taken texts are not offered again.
 */
export function mainText(
  property: Property,
  { picked, sentence }: { picked: PickedTool; sentence: Sentence },
): string | undefined {
  const from = endOfMatch(picked, sentence);
  if (VERBATIM.test(property.name)) {
    const rest = sentence.text
      .slice(from)
      .replace(/^[\s:]*(?:the\s+)?(?:command\b)?[\s:]*/i, '')
      .trim();
    if (rest !== '' && !/^["'`“]/.test(rest)) return withoutFinalStop(rest);
  }
  const quoted = sentence.quoted.shift();
  if (quoted !== undefined) return quoted;
  if (kindOf(property) === 'path') return undefined;
  const matched = new Set([...picked.nameWords, ...picked.descriptionWords].map((word) => word.start));
  const words = wordsOf(sentence.plain).filter((word) => !isInside(word, picked.nameWords));
  const after = trimWords(
    words.filter((word) => word.start >= from),
    matched,
  );
  const before = trimWords(
    words.filter((word) => word.end <= from),
    matched,
  );
  const chosen = after.length > 0 ? after : before;
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (!first || !last) return property.required ? wholeRest(sentence, from) : undefined;
  return sentence.plain.slice(first.start, last.end).replace(/\s+/g, ' ');
}

/** Where the first word that named the tool ends: `greet` in "greet Bob by name". */
function endOfMatch({ nameWords, descriptionWords }: PickedTool, sentence: Sentence): number {
  const first = nameWords[0] ?? descriptionWords[0];
  if (first) return first.end;
  return wordsOf(sentence.plain)[0]?.start ?? 0;
}

/** Drops small words and words that named the tool at both ends: "the files for TODO" is "TODO". */
function trimWords(words: readonly Word[], matched: ReadonlySet<number>): readonly Word[] {
  const says = (word: Word) => !isStopWord(word) && !matched.has(word.start);
  const first = words.findIndex(says);
  return first < 0 ? [] : words.slice(first, words.findLastIndex(says) + 1);
}

function isInside(word: Word, spans: readonly Word[]): boolean {
  return spans.some((span) => word.start >= span.start && word.end <= span.end);
}

function wholeRest(sentence: Sentence, from: number): string | undefined {
  const rest = withoutFinalStop(sentence.plain.slice(from).trim());
  return rest === '' || /^[\p{P}\s]+$/u.test(rest) ? undefined : rest;
}

/** The sentence's own full stop goes; a lone `.` or `..` that is an argument stays. */
function withoutFinalStop(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}"'`)])[.!?]+$/u, '');
}
