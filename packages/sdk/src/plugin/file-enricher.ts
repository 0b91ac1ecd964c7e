import { readFile } from 'node:fs/promises';
import type { EnricherHandler } from './enrichers.ts';

/** An enricher that says what a file holds, read anew each time (seed A: FileEnricher). */
export function fileEnricher(path: string): EnricherHandler {
  return (_session, signal) => readFile(path, { encoding: 'utf8', signal });
}
