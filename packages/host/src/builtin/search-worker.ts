import { relative, sep } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import picomatch from 'picomatch';
import { looksSecret } from '../permissions/sensitive-paths.ts';
import { isInside } from './confine-path.ts';
import { grepFile } from './grep-file.ts';
import { compilePattern, type GlobJob, type GrepJob, type SearchJob, type SearchMessage } from './search-job.ts';
import { walkFiles } from './walk-files.ts';

const PATHS_PER_MESSAGE = 256;

/** The entry of the worker: a pattern may take for ever, and only a thread of its own can then be stopped. */
const job: SearchJob = workerData;
if (job.kind === 'glob') runGlob(job);
else runGrep(job);

function post(message: SearchMessage): void {
  parentPort?.postMessage(message);
}

function runGlob(job: GlobJob): void {
  const matches = picomatch(job.pattern, { dot: true });
  let batch: string[] = [];
  let count = 0;
  const flush = (): void => {
    post({ kind: 'lines', lines: batch });
    batch = [];
  };
  walkFiles({
    ...job,
    onFile(path) {
      if (!matches(posixPath(job.base, path))) return true;
      if (++count <= job.maxFiles && batch.push(shownPath(job, path)) === PATHS_PER_MESSAGE) flush();
      return true;
    },
  });
  flush();
  const isCapped = count > job.maxFiles;
  post({ kind: 'done', summary: { count, files: count, isCapped, unreadable: 0, secrets: 0, isBinary: false } });
}

function runGrep(job: GrepJob): void {
  const pattern = compilePattern(job.pattern, job.ignoreCase);
  const isWanted = wantedFiles(job);
  const summary = { count: 0, files: 0, isCapped: false, unreadable: 0, secrets: 0, isBinary: false };
  const searchOne = (path: string): boolean => {
    const options = { pattern, context: job.context, maxMatches: job.maxMatches - summary.count };
    const found = grepFile(path, { ...options, shown: shownPath(job, path) });
    if (found.kind === 'unreadable') summary.unreadable++;
    if (found.kind === 'binary') summary.isBinary = job.isFile;
    if (found.kind !== 'searched') return true;
    summary.isCapped = found.hasMore;
    if (found.matches === 0) return !found.hasMore;
    // Stretches of different files are parted as those of one are.
    if (job.context > 0 && summary.files > 0) found.lines.unshift('--');
    summary.count += found.matches;
    summary.files++;
    post({ kind: 'lines', lines: found.lines });
    return !found.hasMore;
  };
  const visit = (path: string): boolean => {
    const relativePath = posixPath(job.base, path);
    if (!isWanted(relativePath)) return true;
    if (!looksSecret(relativePath)) return searchOne(path);
    summary.secrets++;
    return true;
  };
  if (job.isFile) searchOne(job.base);
  else walkFiles({ ...job, onFile: visit });
  post({ kind: 'done', summary });
}

/** As in ripgrep, a glob without a slash is about the name alone. */
function wantedFiles({ glob }: GrepJob): (path: string) => boolean {
  return glob === undefined ? () => true : picomatch(glob, { dot: true, basename: !glob.includes('/') });
}

function shownPath({ shownFrom }: SearchJob, path: string): string {
  return isInside(shownFrom, path) ? posixPath(shownFrom, path) : path;
}

function posixPath(from: string, path: string): string {
  return relative(from, path).replaceAll(sep, '/');
}
