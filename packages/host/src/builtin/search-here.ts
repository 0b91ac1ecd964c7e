import { setImmediate } from 'node:timers/promises';
import { readPattern } from './pattern-facts.ts';
import { runSearch } from './run-search.ts';
import { readCase, type SearchJob } from './search-job.ts';
import type { SearchResult } from './search-threads.ts';

/** How long a search may hold up the host at a time, and in all before it goes on in a thread. */
const SLICE_MS = 8;
const MAX_WORK_MS = 120;

/**
 * Runs a search in the host's own thread, in short slices: most are done before a thread has started. Undefined for
 * one that takes longer, or that could hang on a pattern.
 */
export async function searchHere(job: SearchJob, abortSignal: AbortSignal): Promise<SearchResult | undefined> {
  if (!isHarmless(job)) return undefined;
  const lines: string[] = [];
  const steps = runSearch(job.kind === 'grep' ? { ...job, ripgrep: undefined } : job);
  try {
    for (let workedMs = 0; workedMs < MAX_WORK_MS; workedMs += SLICE_MS) {
      const end = performance.now() + SLICE_MS;
      do {
        const step = steps.next();
        if (step.done) return { lines, summary: step.value };
        for (const line of step.value) lines.push(line);
      } while (performance.now() < end);
      await setImmediate();
      abortSignal.throwIfAborted();
    }
    return undefined;
  } finally {
    // Closes what is open.
    steps.return(NOTHING);
  }
}

const NOTHING = {
  ...{ count: 0, files: 0, isCapped: false, unreadable: 0 },
  ...{ unreadableFolders: 0, secrets: 0, withheld: 0, isBinary: false },
};

/** Nothing in it can be tried over and over. */
function isHarmless(job: SearchJob): boolean {
  if (job.kind === 'glob') return isHarmlessGlob(job.pattern);
  const { source } = readCase(job.pattern, job.ignoreCase);
  return readPattern(source).isPlain && isHarmlessGlob(job.glob ?? '');
}

function isHarmlessGlob(glob: string): boolean {
  return glob.length < 1000 && !glob.includes('(') && (glob.match(/\*+/g) ?? []).length <= 2;
}
