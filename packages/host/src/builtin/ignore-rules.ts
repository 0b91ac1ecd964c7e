/** One line of a `.gitignore`. */
interface IgnoreRule {
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
}

/** The rules of one `.gitignore`; `prefix` is its directory below the walk's root, with a `/` at its end unless empty. */
export interface IgnoreRules {
  readonly prefix: string;
  readonly rules: readonly IgnoreRule[];
}

/** Reads the text of a `.gitignore` by gitignore(5). */
export function parseIgnoreRules(text: string, prefix: string): IgnoreRules {
  const rules: IgnoreRule[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const rule = parseRule(line);
    if (rule) rules.push(rule);
  }
  return { prefix, rules };
}

/**
 * Whether the nearest rule that matches says to leave the entry out. A file below an ignored directory is never asked
 * about: the walk does not enter it, so that, as in git, nothing in there can be taken back in.
 */
export function isIgnored(frames: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  for (let frame = frames.length - 1; frame >= 0; frame--) {
    const { prefix = '', rules = [] } = frames[frame] ?? {};
    const relative = path.slice(prefix.length);
    for (let index = rules.length - 1; index >= 0; index--) {
      const rule = rules[index];
      if (rule === undefined || (rule.onlyDirectories && !isDirectory)) continue;
      if (rule.pattern.test(relative)) return !rule.isNegated;
    }
  }
  return false;
}

function parseRule(line: string): IgnoreRule | undefined {
  // Blanks at the end do not count unless escaped; a TAB is a part of the name.
  let text = line.replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const onlyDirectories = text.endsWith('/');
  if (onlyDirectories) text = text.slice(0, -1);
  // A slash at the start or in the middle ties the pattern to the directory of its file.
  const isAnchored = text.includes('/');
  const body = translate(text.replace(/^\//, ''));
  if (body === undefined || body === '') return undefined;
  return { pattern: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}$`, 'su'), isNegated, onlyDirectories };
}

interface Translated {
  source: string;
  /** Where the pattern goes on. */
  end: number;
}

/** The pattern as the source of a regular expression; nothing for one that can match no name. */
function translate(glob: string): string | undefined {
  let source = '';
  for (let at = 0; at < glob.length; ) {
    const part = translatePart(glob, at);
    if (part === undefined) return undefined;
    source += part.source;
    at = part.end;
  }
  return source;
}

function translatePart(glob: string, at: number): Translated | undefined {
  const character = glob.charAt(at);
  if (character === '*') return translateStars(glob, at);
  if (character === '[') return translateSet(glob, at);
  if (character === '?') return { source: '[^/]', end: at + 1 };
  if (character !== '\\') return { source: escapeCharacter(character), end: at + 1 };
  return at + 1 < glob.length ? { source: escapeCharacter(glob.charAt(at + 1)), end: at + 2 } : undefined;
}

/** Two stars between slashes are any folders; at the end, all that is below; else they are as good as one. */
function translateStars(glob: string, start: number): Translated {
  let end = start;
  while (glob[end] === '*') end++;
  const isWholePart = end - start === 2 && (start === 0 || glob[start - 1] === '/');
  if (isWholePart && glob[end] === '/') return { source: '(?:.*/)?', end: end + 1 };
  return { source: isWholePart && end === glob.length ? '.*' : '[^/]*', end };
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
