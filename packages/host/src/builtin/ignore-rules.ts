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
  let text = line.replace(/(?<!\\)\s+$/, '');
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

/** The pattern as the source of a regular expression; nothing for one that can match no name. */
function translate(glob: string): string | undefined {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '*') {
      const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 1;
      const isWholePart = (at === 0 || glob[at - 1] === '/') && stars === 2;
      const next = glob[at + stars];
      if (isWholePart && next === '/') {
        source += '(?:.*/)?';
        at += stars;
      } else {
        source += isWholePart && next === undefined ? '.*' : '[^/]*';
        at += stars - 1;
      }
    } else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const set = readSet(glob, at);
      if (set === undefined) return undefined;
      source += set.source;
      at = set.end;
    } else if (character === '\\') {
      at++;
      if (at === glob.length) return undefined;
      source += escapeCharacter(glob.charAt(at));
    } else source += escapeCharacter(character);
  }
  return source;
}

/** `[a-z]`, `[!a]`, `[]a]`; a set never matches a slash. */
function readSet(glob: string, start: number): { source: string; end: number } | undefined {
  const isNegated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const end = glob.indexOf(']', first + 1);
  if (end < 0) return undefined;
  const members = glob.slice(first, end).replace(/[\\\][^]/g, '\\$&');
  const source = `(?!/)[${isNegated ? '^' : ''}${members}]`;
  return isValid(source) ? { source, end } : undefined;
}

function isValid(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    // A range the wrong way round.
    return false;
  }
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
