/** Tests a text against a glob, in time proportional to pattern x text: hostile texts cannot make it backtrack. */
export type TextGlob = (text: string) => boolean;

const ANY_TEXT = -1;
const ANY_UNIT = -2;
const MAX_ALTERNATIVES = 256;

/**
 * A glob over any text, where `*` also crosses `/`: `*` any text, `?` one character, `{a,b}` alternatives, `\` takes
 * the next character as it is. Everything else stands for itself.
 * @throws RangeError when the alternatives multiply beyond 256.
 */
export function compileTextGlob(pattern: string): TextGlob {
  const alternatives = expandBraces(pattern).map(tokensOf);
  const [only, ...others] = alternatives;
  if (only && others.length === 0) return (text) => matches(only, text);
  return (text) => alternatives.some((tokens) => matches(tokens, text));
}

/** Makes a text match itself only, in any glob of a rule. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?{}[\]()!+@|,]/g, '\\$&');
}

/** The index of the first `wanted` character that no backslash takes as it is, or -1. */
export function indexOfUnescaped(text: string, wanted: string, from = 0): number {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === wanted) return index;
  }
  return -1;
}

function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (!group) done.push(next);
    else for (const part of group.parts.toReversed()) open.push(group.before + part + group.after);
    if (open.length + done.length > MAX_ALTERNATIVES) {
      throw new RangeError(`its alternatives multiply to more than ${MAX_ALTERNATIVES}: write several rules`);
    }
  }
  return done;
}

interface BraceGroup {
  before: string;
  parts: string[];
  after: string;
}

/** The first innermost `{a,b}`; braces without a comma stand for themselves. */
function firstGroup(pattern: string): BraceGroup | undefined {
  let start = -1;
  let commas: number[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === '\\') index += 1;
    else if (char === '{') [start, commas] = [index, []];
    else if (char === ',' && start >= 0) commas.push(index);
    else if (char === '}' && start >= 0) {
      if (commas.length > 0) return groupAt(pattern, [start, ...commas, index]);
      start = -1;
    }
  }
  return undefined;
}

function groupAt(pattern: string, marks: readonly number[]): BraceGroup {
  const parts = marks.slice(1).map((mark, index) => pattern.slice((marks[index] ?? 0) + 1, mark));
  return { before: pattern.slice(0, marks[0]), parts, after: pattern.slice((marks.at(-1) ?? 0) + 1) };
}

function tokensOf(pattern: string): number[] {
  const tokens: number[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === '*') tokens.push(ANY_TEXT);
    else if (char === '?') tokens.push(ANY_UNIT);
    else {
      if (char === '\\' && index + 1 < pattern.length) index += 1;
      tokens.push(pattern.charCodeAt(index));
    }
  }
  return tokens;
}

/** Greedy, going back to the last `*` only: later ones make earlier choices irrelevant. */
function matches(tokens: readonly number[], text: string): boolean {
  let token = 0;
  let retryToken = -1;
  let retryAt = 0;
  for (let at = 0; at < text.length; ) {
    const wanted = tokens[token];
    if (wanted === ANY_TEXT) {
      retryToken = ++token;
      retryAt = at;
    } else if (wanted !== undefined && (wanted === ANY_UNIT || wanted === text.charCodeAt(at))) {
      token += 1;
      at += 1;
    } else if (retryToken >= 0) {
      token = retryToken;
      at = ++retryAt;
    } else return false;
  }
  while (tokens[token] === ANY_TEXT) token += 1;
  return token === tokens.length;
}
