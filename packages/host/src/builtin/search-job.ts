import type { WithheldFiles } from './withheld-files.ts';

/** What a search worker is asked. All paths are real paths that were checked. */
export type SearchJob = GlobJob | GrepJob;

interface JobPlace {
  /** The granted root around `base`. */
  root: string;
  base: string;
  /** Toolpost's home directory, which no search enters. */
  blocked: string;
  /** Paths below it are shown relative to it, others whole. */
  shownFrom: string;
  withheld: WithheldFiles | undefined;
}

export interface GlobJob extends JobPlace {
  kind: 'glob';
  /** Relative to `base`. */
  pattern: string;
  maxFiles: number;
}

export interface GrepJob extends JobPlace {
  kind: 'grep';
  /** `base` is the one file to search. */
  isFile: boolean;
  pattern: string;
  ignoreCase: boolean;
  /** ripgrep's program, for leaving out files before they are opened. */
  ripgrep?: string | undefined;
  glob?: string;
  context: number;
  maxMatches: number;
}

/** What a worker sends: lines as it finds them, at the end one summary. */
export type SearchMessage =
  | { kind: 'lines'; lines: readonly string[] }
  | { kind: 'done'; summary: SearchSummary }
  | { kind: 'failed'; message: string };

export interface SearchSummary {
  /** Files that match (`glob`), or lines (`grep`). */
  count: number;
  files: number;
  /** There are more than were sent. */
  isCapped: boolean;
  /** Files, and folders with all that is below them, that could not be read. */
  unreadable: number;
  unreadableFolders: number;
  /** Files that look like they hold secrets are only searched when they are named, so that permissions can ask. */
  secrets: number;
  /** Files that the user's rules keep out of a search. */
  withheld: number;
  /** The one file to search is binary. */
  isBinary: boolean;
}

/** The pattern of `grep` and whether case counts: a leading `(?i)` is understood. */
export function readCase(pattern: string, ignoreCase: boolean): { source: string; isInsensitive: boolean } {
  const isMarked = pattern.startsWith('(?i)');
  return { source: isMarked ? pattern.slice(4) : pattern, isInsensitive: ignoreCase || isMarked };
}

/**
 * Compiles a pattern of `grep`. Unicode rules where they allow the pattern, else the lenient ones, under which `\-` is
 * a hyphen.
 * @throws SyntaxError that says what is wrong.
 */
export function compilePattern(pattern: string, ignoreCase: boolean): RegExp {
  const { source, isInsensitive } = readCase(pattern, ignoreCase);
  const flags = isInsensitive ? 'i' : '';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}
