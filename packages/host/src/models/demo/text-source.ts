import type { PickedTool } from './pick-tool.ts';
import { kindOf, type Property } from './property.ts';
import type { Sentence } from './sentence.ts';
import { isStopWord, type Word, wordsOf } from './words.ts';

/** Names of properties whose text is taken as it stands, quotes, dots and small words included. */
const VERBATIM = /^(?:command|cmd|script|code|sql|expression)$/i;

/**
 * Gives texts for properties that could be anything: a quoted text, else what follows the matched verb ("greet Bob",
 * "weather in Oslo"), else what stands before it ("Oslo weather"). Each text is given once.
 */
export function createTextSource(picked: PickedTool, sentence: Sentence): (property: Property) => string | undefined {
  const from = endOfMatch(picked, sentence);
  let wordsLeft = true;
  return (property) => {
    if (VERBATIM.test(property.name)) {
      const line = verbatimRest(sentence, from);
      if (line !== undefined) return line;
    }
    const quoted = sentence.quoted.shift();
    if (quoted !== undefined || kindOf(property) === 'path' || !wordsLeft) return quoted;
    wordsLeft = false;
    return plainWords(picked, sentence) ?? (property.required ? smallWords(picked, sentence) : undefined);
  };
}

function verbatimRest(sentence: Sentence, from: number): string | undefined {
  const rest = sentence.text.slice(from).replace(/^[\s:]*(?:the\s+)?(?:command\b)?[\s:]*/i, '');
  return rest === '' || /^["'`“]/.test(rest) ? undefined : withoutFinalStop(rest.trim());
}

function plainWords(picked: PickedTool, sentence: Sentence): string | undefined {
  const from = endOfMatch(picked, sentence);
  const matched = new Set([...picked.nameWords, ...picked.descriptionWords].map((word) => word.start));
  const words = wordsOf(sentence.plain).filter((word) => !isInside(word, picked.nameWords));
  const after = words.filter((word) => word.start >= from);
  const before = words.filter((word) => word.end <= from);
  const chosen = [after, before].map((part) => trimWords(part, matched)).find((part) => part.length > 0);
  const [first, last] = [chosen?.[0], chosen?.at(-1)];
  return first && last && sentence.plain.slice(first.start, last.end).replace(/\s+/g, ' ');
}

/** "echo I am here" holds small words alone; where a text is required they are the text. */
function smallWords(picked: PickedTool, sentence: Sentence): string | undefined {
  const rest = withoutFinalStop(sentence.plain.slice(endOfMatch(picked, sentence)).trim());
  const words = wordsOf(rest);
  return words.length > 0 && words.every(isStopWord) ? rest : undefined;
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

/** The sentence's own full stop goes; a lone `.` or `..` that is an argument stays. */
function withoutFinalStop(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}"'`)])[.!?]+$/u, '');
}
