import { compileIgnorePattern } from './ignore-pattern.ts';

/** One line of a `.gitignore`. */
interface IgnoreRule {
  matches(relativePath: string): boolean;
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
}

/** Where a `.gitignore` lies; both with a `/` at the end unless empty. */
export interface IgnorePlace {
  /** Its directory below the walk's root. */
  readonly prefix: string;
  /** The way from its directory down to the walk's root, for a file above the root. */
  readonly lead?: string;
}

/** The rules of one `.gitignore`. */
export interface IgnoreRules extends IgnorePlace {
  readonly rules: readonly IgnoreRule[];
}

/** Reads the text of a `.gitignore` by gitignore(5). */
export function parseIgnoreRules(text: string, place: IgnorePlace): IgnoreRules {
  const rules: IgnoreRule[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const rule = parseRule(line);
    if (rule) rules.push(rule);
  }
  return { ...place, rules };
}

/**
 * Whether the nearest rule that matches says to leave the entry out. A file below an ignored directory is never asked
 * about: the walk does not enter it, so that, as in git, nothing in there can be taken back in.
 */
export function isIgnored(frames: readonly IgnoreRules[], path: string, isDirectory: boolean): boolean {
  for (let frame = frames.length - 1; frame >= 0; frame--) {
    const { prefix = '', lead = '', rules = [] } = frames[frame] ?? {};
    const relative = lead + path.slice(prefix.length);
    for (let index = rules.length - 1; index >= 0; index--) {
      const rule = rules[index];
      if (rule === undefined || (rule.onlyDirectories && !isDirectory)) continue;
      if (rule.matches(relative)) return !rule.isNegated;
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
  const matches = compileIgnorePattern(text.replace(/^\//, ''));
  if (matches === undefined) return undefined;
  return { matches: isAnchored ? matches : (path) => matches(lastName(path)), isNegated, onlyDirectories };
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
