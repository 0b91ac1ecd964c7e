/** What is known about a regular expression before it runs. */
export interface PatternFacts {
  /** A text that stands in every line that matches, at least in another case when case does not count. */
  readonly literal: string | undefined;
  /**
   * Takes linear time: nothing is repeated or grouped, so that there is nothing to try twice. Such a pattern needs no
   * thread that can be stopped.
   */
  readonly isPlain: boolean;
}

const UNKNOWN: PatternFacts = { literal: undefined, isPlain: false };

/** Reads a JavaScript pattern without flags carefully: whatever is not surely understood counts as unknown. */
export function readPattern(source: string): PatternFacts {
  const runs: string[] = [''];
  const end = (): void => void runs.push('');
  let isPlain = true;
  let hasBranches = false;
  for (let at = 0; at < source.length; ) {
    const part = readPart(source, at);
    if (part === undefined) return UNKNOWN;
    at = part.end;
    if (part.kind === 'literal') runs[runs.length - 1] += part.text;
    else if (part.kind === 'repeat') {
      // The character before it may be there any number of times, or not at all.
      runs[runs.length - 1] = Array.from(runs.at(-1) ?? '')
        .slice(0, -1)
        .join('');
      end();
      isPlain = false;
    } else {
      end();
      if (part.kind === 'branch') hasBranches = true;
      if (part.kind === 'group') isPlain = false;
    }
  }
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one));
  return { literal: hasBranches || longest === '' ? undefined : longest, isPlain };
}

type Part = { end: number } & ({ kind: 'literal'; text: string } | { kind: 'repeat' | 'branch' | 'group' | 'other' });

function readPart(source: string, at: number): Part | undefined {
  const character = source.charAt(at);
  if (character === '\\') return readEscape(source, at);
  if (character === '[') return skipClass(source, at);
  if (character === '(') return skipGroup(source, at);
  if (character === '|') return { kind: 'branch', end: at + 1 };
  if (character === '*' || character === '+' || character === '?') return { kind: 'repeat', end: at + 1 };
  if (character === '{') return skipCount(source, at);
  if (character === '.' || character === '^' || character === '$') return { kind: 'other', end: at + 1 };
  if (character === ')' || character === '}' || character === ']') return undefined;
  return { kind: 'literal', text: character, end: at + 1 };
}

function readEscape(source: string, at: number): Part | undefined {
  const escaped = source.charAt(at + 1);
  if (/[dDwWsSbBtnrfv]/.test(escaped)) return { kind: 'other', end: at + 2 };
  return /^[!-/:-@[-^`{-~]$/.test(escaped) ? { kind: 'literal', text: escaped, end: at + 2 } : undefined;
}

function skipClass(source: string, at: number): Part | undefined {
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === ']') return { kind: 'other', end: end + 1 };
  }
  return undefined;
}

function skipGroup(source: string, at: number): Part | undefined {
  let end = at + 1;
  for (let depth = 1; depth > 0; ) {
    if (end >= source.length) return undefined;
    const character = source[end];
    if (character === '[') {
      const set = skipClass(source, end);
      if (set === undefined) return undefined;
      end = set.end;
      continue;
    }
    if (character === '(') depth++;
    if (character === ')') depth--;
    end += character === '\\' ? 2 : 1;
  }
  return { kind: 'group', end };
}

function skipCount(source: string, at: number): Part | undefined {
  const count = /^\{\d+(?:,\d*)?\}/.exec(source.slice(at, at + 40));
  return count ? { kind: 'repeat', end: at + count[0].length } : undefined;
}
