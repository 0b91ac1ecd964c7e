import { relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { withLiteralParentheses } from '../permissions/literal-parentheses.ts';
import { looksSecret } from '../permissions/sensitive-paths.ts';
import { isInside } from './confine-path.ts';
import { grepFile } from './grep-file.ts';
import { readPattern } from './pattern-facts.ts';
import { filesWithText } from './ripgrep.ts';
import {
  compilePattern,
  type GlobJob,
  type GrepJob,
  readCase,
  type SearchJob,
  type SearchSummary,
} from './search-job.ts';
import { walkFiles } from './walk-files.ts';
import { createWithheldCheck } from './withheld-files.ts';

const PATHS_PER_BATCH = 256;

/**
 * Does a search in small synchronous steps: yields the lines that it found, often none, where it may wait or be given
 * up. Returns the summary at the end.
 */
export function runSearch(job: SearchJob): Generator<readonly string[], SearchSummary> {
  return job.kind === 'glob' ? runGlob(job) : runGrep(job);
}

const NONE: readonly string[] = [];

function emptySummary(): SearchSummary {
  return {
    count: 0,
    files: 0,
    isCapped: false,
    unreadable: 0,
    unreadableFolders: 0,
    secrets: 0,
    withheld: 0,
    isBinary: false,
  };
}

function* runGlob(job: GlobJob): Generator<readonly string[], SearchSummary> {
  const matches = compileGlob(job.pattern);
  const isWithheld = createWithheldCheck(job.withheld);
  const summary = emptySummary();
  let batch: string[] = [];
  let count = 0;
  for (const path of walkFiles(job, () => summary.unreadableFolders++)) {
    if (path === undefined) yield NONE;
    else if (!matches(posixPath(job.base, path))) continue;
    else if (isWithheld(path)) summary.withheld++;
    else if (++count <= job.maxFiles) batch.push(shownPath(job, path));
    if (batch.length < PATHS_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
  return { ...summary, count, files: count, isCapped: count > job.maxFiles };
}

function* runGrep(job: GrepJob): Generator<readonly string[], SearchSummary> {
  const { source, isInsensitive } = readCase(job.pattern, job.ignoreCase);
  const { literal } = readPattern(source);
  const pattern = compilePattern(job.pattern, job.ignoreCase);
  const needle = literal === undefined || isInsensitive ? undefined : Buffer.from(literal);
  const summary = emptySummary();
  for (const path of searchedFiles(job, summary, { literal, isInsensitive })) {
    if (path === undefined) {
      yield NONE;
      continue;
    }
    const options = { pattern, needle, context: job.context, maxMatches: job.maxMatches - summary.count };
    const steps = grepFile(path, { ...options, shown: shownPath(job, path) });
    let step = steps.next();
    for (; !step.done; step = steps.next()) yield NONE;
    const found = step.value;
    if (found.kind === 'unreadable') summary.unreadable++;
    if (found.kind === 'binary') summary.isBinary = job.isFile;
    if (found.kind !== 'searched') continue;
    // Stretches of different files are parted as those of one are.
    if (found.matches > 0 && job.context > 0 && summary.files > 0) found.lines.unshift('--');
    summary.count += found.matches;
    if (found.matches > 0) summary.files++;
    summary.isCapped = found.hasMore;
    yield found.lines;
    if (found.hasMore) break;
  }
  return summary;
}

interface Wanted {
  /** Stands in every line that matches. */
  literal: string | undefined;
  isInsensitive: boolean;
}

/** The files to open, in order; undefined where it may wait. Counts those that look like they hold secrets. */
function* searchedFiles(job: GrepJob, summary: SearchSummary, wanted: Wanted): Generator<string | undefined, void> {
  const isWithheld = createWithheldCheck(job.withheld);
  if (job.isFile && isWithheld(job.base)) return void summary.withheld++;
  if (job.isFile) return yield job.base;
  const { ripgrep } = job;
  const { literal, isInsensitive } = wanted;
  const files = wantedFiles(job, summary, isWithheld);
  if (ripgrep === undefined || literal === undefined) return yield* files;
  yield* filesWithText(files, { ripgrep, literal, isInsensitive });
}

function* wantedFiles(
  job: GrepJob,
  summary: SearchSummary,
  isWithheld: (path: string) => boolean,
): Generator<string | undefined, void> {
  const { glob } = job;
  // As in ripgrep, a glob without a slash is about the name alone.
  const isWanted = glob === undefined ? () => true : compileGlob(glob, { basename: !glob.includes('/') });
  for (const path of walkFiles(job, () => summary.unreadableFolders++)) {
    const relativePath = path === undefined ? '' : posixPath(job.base, path);
    if (path === undefined) yield path;
    else if (!isWanted(relativePath)) continue;
    else if (looksSecret(relativePath)) summary.secrets++;
    else if (isWithheld(path)) summary.withheld++;
    else yield path;
  }
}

function compileGlob(glob: string, options?: picomatch.PicomatchOptions): picomatch.Matcher {
  // `s`: a name may hold a line feed, which must not hide it from `**`.
  return picomatch(withLiteralParentheses(glob), { dot: true, flags: 's', ...options });
}

/** A name with a line feed or another control character is quoted, so that it forges no line of the result. */
function shownPath({ shownFrom }: SearchJob, path: string): string {
  const shown = isInside(shownFrom, path) ? posixPath(shownFrom, path) : path;
  return /\p{Cc}/u.test(shown) ? JSON.stringify(shown) : shown;
}

function posixPath(from: string, path: string): string {
  return relative(from, path).replaceAll(sep, '/');
}
