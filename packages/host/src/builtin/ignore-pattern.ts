import { matchInSteps, type Step } from './match-in-steps.ts';

/** So many parts of any length make a regular expression try at most a path's length squared. */
const MAX_OPEN_PARTS = 2;

interface Translated {
  /** Of a regular expression. */
  source: string;
  /** Where the pattern goes on. */
  end: number;
}

/** What a part matches: one character, or any number of them. */
interface Part extends Translated {
  kind: 'one' | 'name' | 'folders' | 'all';
}

/**
 * A pattern of a `.gitignore` without its marks, for paths or single names; nothing for one that can match no name. Takes
 * bounded time whatever stands in it: the file belongs to whoever wrote the project.
 */
export function compileIgnorePattern(glob: string): ((path: string) => boolean) | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < glob.length; ) {
    const part = translatePart(glob, at);
    if (part === undefined) return undefined;
    parts.push(part);
    at = part.end;
  }
  if (parts.length === 0) return undefined;
  if (parts.filter(({ kind }) => kind !== 'one').length > MAX_OPEN_PARTS) {
    const steps = parts.flatMap(toSteps);
    return (path) => matchInSteps(steps, path);
  }
  const pattern = new RegExp(`^${parts.map(({ source }) => source).join('')}$`, 'su');
  return (path) => pattern.test(path);
}

function toSteps({ kind, source }: Part): Step[] {
  if (kind === 'folders') return [{ kind: 'maybe' }, { kind: 'through-slash' }];
  if (kind !== 'one') return [{ kind }];
  const pattern = new RegExp(`^${source}$`, 'su');
  return [{ kind, accepts: (character) => pattern.test(character) }];
}

function translatePart(glob: string, at: number): Part | undefined {
  const character = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  if (character === '*') return translateStars(glob, at);
  const one = character === '[' ? translateSet(glob, at) : translateCharacter(glob, at, character);
  return one && { kind: 'one', ...one };
}

function translateCharacter(glob: string, at: number, character: string): Translated | undefined {
  if (character === '?') return { source: '[^/]', end: at + 1 };
  if (character !== '\\') return { source: escapeCharacter(character), end: at + character.length };
  return at + 1 < glob.length ? translateEscaped(glob, at + 1) : undefined;
}

function translateEscaped(glob: string, at: number): Translated {
  const character = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  return { source: escapeCharacter(character), end: at + character.length };
}

/** Two stars (or more) between slashes are any folders; at the end, all that is below; else they are as good as one. */
function translateStars(glob: string, start: number): Part {
  let end = start;
  while (glob[end] === '*') end++;
  const isWholePart = end - start >= 2 && (start === 0 || glob[start - 1] === '/');
  if (isWholePart && glob[end] === '/') return { kind: 'folders', source: '(?:.*/)?', end: end + 1 };
  if (isWholePart && end === glob.length) return { kind: 'all', source: '.*', end };
  return { kind: 'name', source: '[^/]*', end };
}

/** `[a-z]`, `[!a]`, `[]a]`, `[[:alpha:]]`, `[\\]]`; a set never matches a slash. */
function translateSet(glob: string, start: number): Translated | undefined {
  const isNegated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  let members = '';
  for (let at = first; at < glob.length; ) {
    if (glob[at] === ']' && at > first) {
      return { source: `(?!/)[${isNegated ? '^' : ''}${members}]`, end: at + 1 };
    }
    const member = readNamedClass(glob, at) ?? readRange(glob, at);
    if (member === undefined) return undefined;
    members += member.source;
    at = member.end;
  }
  return undefined;
}

/** As in the C locale, which git uses. */
const NAMED_CLASSES: Readonly<Record<string, string>> = {
  ...{ alnum: 'a-zA-Z0-9', alpha: 'a-zA-Z', digit: '0-9', lower: 'a-z', upper: 'A-Z', xdigit: '0-9a-fA-F' },
  ...{ blank: ' \\t', space: '\\s', cntrl: '\\x00-\\x1f\\x7f', print: ' -~', graph: '!-~' },
  punct: '!-\\/:-@\\[-`{-~',
};

function readNamedClass(glob: string, at: number): Translated | undefined {
  const name = /^\[:([a-z]+):\]/.exec(glob.slice(at, at + 10))?.[1];
  const source = name === undefined ? undefined : NAMED_CLASSES[name];
  return source === undefined || name === undefined ? undefined : { source, end: at + name.length + 4 };
}

/** One character of a set, or a range of them; a range the wrong way round is its start alone. */
function readRange(glob: string, at: number): Translated | undefined {
  const low = readSetCharacter(glob, at);
  if (low === undefined || glob[low.end] !== '-' || glob[low.end + 1] === ']') return escapedInSet(low);
  const high = readSetCharacter(glob, low.end + 1);
  if (high === undefined) return undefined;
  const isOrdered = (low.source.codePointAt(0) ?? 0) <= (high.source.codePointAt(0) ?? 0);
  const source = isOrdered ? `${escapeInSet(low.source)}-${escapeInSet(high.source)}` : escapeInSet(low.source);
  return { source, end: high.end };
}

function readSetCharacter(glob: string, at: number): Translated | undefined {
  const start = glob[at] === '\\' ? at + 1 : at;
  const point = glob.codePointAt(start);
  if (point === undefined) return undefined;
  const source = String.fromCodePoint(point);
  return { source, end: start + source.length };
}

function escapedInSet(read: Translated | undefined): Translated | undefined {
  return read && { ...read, source: escapeInSet(read.source) };
}

function escapeInSet(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
