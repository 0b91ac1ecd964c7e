import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { Sentence } from './sentence.ts';
import { isStopWord, stem, type Word, wordsOf } from './words.ts';

/** The tool that fits a request best, and the words of the request that say so. */
export interface PickedTool {
  readonly tool: LanguageModelV4FunctionTool;
  readonly score: number;
  readonly nameWords: readonly Word[];
  readonly descriptionWords: readonly Word[];
}

const EXACT_NAME = 10;
const NAME_WORD = 3;
const WHOLE_NAME = 2;
/** The first word of a description is the verb that says what the tool does. */
const DESCRIPTION_VERB = 2;
const DESCRIPTION_WORD = 1;
const REQUEST_VERB = 1;
/** Below this nothing fits: one word somewhere in a description is chance. */
const FLOOR = 2;

/** Searches names and descriptions; words of a name outweigh those of a description. Equal scores: the first wins. */
export function pickTool(sentence: Sentence, tools: readonly LanguageModelV4FunctionTool[]): PickedTool | undefined {
  const words = wordsOf(sentence.plain).filter((word) => !isStopWord(word));
  let best: PickedTool | undefined;
  for (const tool of tools) {
    const candidate = scoreTool(tool, sentence, words);
    if (candidate.score >= FLOOR && candidate.score > (best?.score ?? 0)) best = candidate;
  }
  return best;
}

function scoreTool(tool: LanguageModelV4FunctionTool, sentence: Sentence, words: readonly Word[]): PickedTool {
  const exact = findExactName(tool.name, sentence);
  const nameStems = new Set(wordsOf(tool.name).map((word) => word.stem));
  const described = wordsOf(tool.description ?? '').filter((word) => !isStopWord(word));
  const descriptionStems = new Set(described.map((word) => word.stem));
  const nameWords = exact ? [exact] : [...words, ...joinedPairs(words)].filter((word) => nameStems.has(word.stem));
  const descriptionWords = words.filter((word) => descriptionStems.has(word.stem) && !nameStems.has(word.stem));
  const matched = new Set([...nameWords, ...descriptionWords].map((word) => word.stem));
  const verb = described[0]?.stem ?? '';
  const matchesVerb = words.some((word) => word.stem === verb);

  let score = exact ? EXACT_NAME : distinct(nameWords) * NAME_WORD;
  if (!exact && nameStems.size > 0 && distinct(nameWords) === nameStems.size) score += WHOLE_NAME;
  score += distinct(descriptionWords) * DESCRIPTION_WORD;
  if (matchesVerb) score += DESCRIPTION_VERB - DESCRIPTION_WORD;
  if (words[0] && matched.has(words[0].stem)) score += REQUEST_VERB;
  // Without the name and the verb, a few shared words among many others are chance.
  if (nameWords.length === 0 && !matchesVerb && matched.size * 2 < words.length) score = 0;
  if (nameWords.length === 0 && !matchesVerb && matched.size < 2) score = 0;
  return { tool, score, nameWords, descriptionWords };
}

/** "count down" is `countdown` too. */
function joinedPairs(words: readonly Word[]): Word[] {
  return words.slice(1).map((second, index) => {
    const first = words[index] ?? second;
    return { ...first, text: `${first.text} ${second.text}`, stem: stem(first.text + second.text), end: second.end };
  });
}

/** A name typed as it is, such as `python_greet`; a name that is one plain word is matched like any other word. */
function findExactName(name: string, sentence: Sentence): Word | undefined {
  if (/^\p{L}+$/u.test(name)) return undefined;
  const start = sentence.text.toLowerCase().indexOf(name.toLowerCase());
  if (start < 0) return undefined;
  const end = start + name.length;
  const isWhole = !/[\p{L}\p{N}_]/u.test(`${sentence.text[start - 1] ?? ''}${sentence.text[end] ?? ''}`);
  return isWhole ? { text: sentence.text.slice(start, end), stem: name.toLowerCase(), start, end } : undefined;
}

function distinct(words: readonly Word[]): number {
  return new Set(words.map((word) => word.stem)).size;
}
