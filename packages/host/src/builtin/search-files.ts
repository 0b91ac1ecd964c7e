import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { type JsonObject, messageOf, type ToolResult } from '@toolpost/protocol';
import picomatch from 'picomatch';
import type { RootNames } from '../permissions/call-paths.ts';
import { withLiteralParentheses } from '../permissions/literal-parentheses.ts';
import { type BuiltinCallContext, type BuiltinSettings, textResult } from './builtin-tool.ts';
import { realPlace, resolveInRoots } from './confine-path.ts';
import { foreignSyntax } from './foreign-syntax.ts';
import { findRipgrep } from './ripgrep.ts';
import { searchHere } from './search-here.ts';
import { compilePattern, type SearchJob, type SearchSummary } from './search-job.ts';
import { type SearchResult, searchInThread } from './search-threads.ts';
import { DEFAULT_MAX_MATCHES, MAX_CONTEXT_LINES, MAX_MATCHES } from './tool-definitions.ts';
import { fileFailure, ToolFailure } from './tool-failure.ts';
import { countInput, optionalTextInput, textInput } from './tool-input.ts';
import { withheldFrom } from './withheld-files.ts';

const MAX_LISTED_FILES = 1000;

/** `glob`: the files whose path matches, sorted, without those that git ignores. */
export async function globFiles(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const given = textInput(input, 'pattern');
  if (given === '') throw new ToolFailure('pattern is empty: give a glob such as src/**/*.ts');
  const { folder, pattern } = splitGlob(withAllBelow(given));
  const base = isAbsolute(folder) ? folder : join(optionalTextInput(input, 'path') ?? '.', folder);
  const place = await placeOf(base, context, settings);
  if (place === undefined) return textResult(`No files match ${given}`, { count: 0 });
  if (place.isFile) throw new ToolFailure(`${base} is a file; path and the start of the pattern name a directory`);
  const withheld = await withheldFrom(
    place.base,
    namesOf(context),
    settings.withheld?.('glob', context.session.tenant),
  );
  const job = { kind: 'glob', ...place, pattern, maxFiles: MAX_LISTED_FILES, withheld } as const;
  const { lines, summary } = await search(job, context, settings);
  const notes: string[] = [];
  if (summary?.isCapped)
    notes.push(`(${lines.length} of ${summary.count} files; narrow the pattern to see the others)`);
  if (summary === undefined) notes.push(unfinished(settings));
  const isCapped = notes.length > 0;
  if (summary !== undefined) notes.push(...leftOutNotes(summary));
  const found = lines.length > 0 || summary === undefined ? lines : [`No files match ${given}`];
  return textResult([...found, ...notes].join('\n'), {
    count: summary?.count ?? lines.length,
    ...(isCapped && { isCapped }),
  });
}

/** `grep`: the lines that match a JavaScript regular expression. */
export async function grepFiles(
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<ToolResult> {
  const pattern = textInput(input, 'pattern');
  const ignoreCase = input.ignore_case === true;
  assertPattern(pattern, ignoreCase);
  const shown = optionalTextInput(input, 'path') ?? '.';
  const filter = optionalTextInput(input, 'glob');
  const glob = filter === undefined || filter === '' ? undefined : withAllBelow(filter);
  const asked = {
    context: countInput(input, 'context'),
    maxMatches: countInput(input, 'max_matches', { minimum: 1, fallback: DEFAULT_MAX_MATCHES }),
  };
  const place = await placeOf(shown, context, settings);
  if (place === undefined) throw new ToolFailure(`${shown} does not exist`);
  const ripgrep = findRipgrep(settings.hostEnvironment.PATH ?? '', context.roots);
  const options = {
    withheld: await withheldFrom(place.base, namesOf(context), settings.withheld?.('grep', context.session.tenant)),
    ...(ripgrep !== undefined && { ripgrep }),
    context: Math.min(asked.context, MAX_CONTEXT_LINES),
    maxMatches: Math.min(asked.maxMatches, MAX_MATCHES),
    ...(glob !== undefined && { glob }),
  };
  const { lines, summary } = await search(
    { kind: 'grep', ...place, pattern, ignoreCase, ...options },
    context,
    settings,
  );
  if (summary?.isBinary) throw new ToolFailure(`${shown} is a binary file; grep searches text only`);
  const notes = summary === undefined ? [unfinished(settings)] : grepNotes(summary, asked);
  notes.push(...foreignSyntax(pattern, lines.length > 0));
  const found = lines.length > 0 ? lines : summary === undefined ? [] : [`No matches for ${pattern}`];
  const counts = summary === undefined ? { isCapped: true } : { matches: summary.count, files: summary.files };
  return textResult([...found, ...notes].join('\n'), { ...counts, ...(summary?.isCapped && { isCapped: true }) });
}

function grepNotes(summary: SearchSummary, asked: { context: number; maxMatches: number }): string[] {
  const { count, isCapped, secrets } = summary;
  const notes: string[] = [];
  if (isCapped) {
    // Long lines end a search before the matches that were asked for: more of them would not be shown either.
    const mayBeRaised = count >= asked.maxMatches && asked.maxMatches < MAX_MATCHES;
    const raising = mayBeRaised ? ', or raise max_matches' : '';
    notes.push(`(stopped at ${count} matches and there is more; narrow pattern, path or glob${raising})`);
  }
  if (asked.context > MAX_CONTEXT_LINES)
    notes.push(`(${MAX_CONTEXT_LINES} lines of context around a match, the most; use read to see more)`);
  notes.push(...leftOutNotes(summary));
  if (secrets > 0) notes.push(`(${filesText(secrets)} that may hold secrets left out; name one as path to search it)`);
  return notes;
}

/** What was not searched is not known to hold nothing. */
function leftOutNotes({ unreadable, unreadableFolders, withheld }: SearchSummary): string[] {
  const notes: string[] = [];
  if (unreadable > 0) notes.push(`(${filesText(unreadable)} could not be read)`);
  if (unreadableFolders === 1) notes.push('(1 folder could not be read)');
  if (unreadableFolders > 1) notes.push(`(${unreadableFolders} folders could not be read)`);
  if (withheld > 0)
    notes.push(`(${filesText(withheld)} left out by the permission rules; to read one, name it to read)`);
  return notes;
}

function filesText(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

function unfinished({ searchBudgetMs }: BuiltinSettings): string {
  return `(stopped after ${searchBudgetMs / 1000}s before all files were searched; narrow the path or simplify the pattern)`;
}

function assertPattern(pattern: string, ignoreCase: boolean): void {
  try {
    compilePattern(pattern, ignoreCase);
  } catch (error) {
    const reason = messageOf(error);
    throw new ToolFailure(`pattern is no JavaScript regular expression: ${reason}. Escape special characters with \\`);
  }
}

/** A slash at the end of a glob means the folder: all that is below it. */
function withAllBelow(glob: string): string {
  return glob.endsWith('/') ? `${glob}**` : glob;
}

/** The part of a glob before its first special character is a folder: only that has to be walked. */
function splitGlob(glob: string): { folder: string; pattern: string } {
  const { base, glob: pattern } = picomatch.scan(withLiteralParentheses(glob));
  if (pattern !== '') return { folder: withoutEscapes(base), pattern };
  return { folder: dirname(glob), pattern: glob.slice(glob.lastIndexOf('/') + 1) };
}

/** Where a backslash parts folders, none can escape. */
function withoutEscapes(folder: string): string {
  return sep === '\\' ? folder : folder.replace(/\\(.)/gs, '$1');
}

function namesOf({ roots, session: { rootSpellings } }: BuiltinCallContext): RootNames {
  return rootSpellings ? { roots, rootSpellings } : { roots };
}

type SearchPlace = Pick<SearchJob, 'root' | 'base' | 'blocked' | 'shownFrom'> & { isFile: boolean };

/** Where to search; nothing when it does not exist. */
async function placeOf(
  path: string,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
): Promise<SearchPlace | undefined> {
  const access = { homeDir: settings.homeDir, session: context.session };
  const place = await resolveInRoots(context.roots, path, access);
  if (!place.exists) return undefined;
  const [shownFrom, blocked] = await Promise.all([realPlace(context.roots[0] ?? ''), realPlace(settings.homeDir)]);
  try {
    const stats = await stat(place.path);
    if (!stats.isFile() && !stats.isDirectory()) throw new ToolFailure(`${path} is neither a file nor a directory`);
    return { root: place.root, base: place.path, isFile: stats.isFile(), shownFrom, blocked };
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** In the host's own thread while it is short, else in one that can be stopped. */
async function search(
  job: SearchJob,
  { abortSignal }: BuiltinCallContext,
  { searchBudgetMs }: BuiltinSettings,
): Promise<SearchResult> {
  abortSignal.throwIfAborted();
  const here = await searchHere(job, abortSignal);
  return here ?? searchInThread(job, { budgetMs: searchBudgetMs, abortSignal });
}
