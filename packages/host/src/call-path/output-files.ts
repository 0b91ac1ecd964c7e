import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileNameOf, outputFolder } from '../settings/file-names.ts';

const KEEP_MS = 7 * 24 * 3_600_000;
const MAX_FILES_OF_ID = 10_000;

export interface OutputFiles {
  /** Keeps a whole output and returns its path; undefined when it cannot be written. */
  keep(place: { sessionId: string; callId: string; extension: string }, content: string): string | undefined;
  /** Whether an absolute path is a file of this session. */
  isOwn(path: string, sessionId: string): boolean;
  /** Removes what is older than a week. */
  prune(): void;
}

/**
 * The files of results that were capped: `<home>/cache/outputs/<session>/<call>.txt`, 0600. Only `read` and `grep` of
 * the same session can open them.
 */
export function createOutputFiles(homeDir: string, onProblem: (message: string) => void): OutputFiles {
  const base = join(homeDir, 'cache', 'outputs');
  return {
    keep({ sessionId, callId, extension }, content) {
      const folder = outputFolder(homeDir, sessionId);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return writeNew(join(folder, fileNameOf(callId)), extension, content);
      } catch (error) {
        onProblem(
          `the whole output could not be kept in ${folder}: ${error instanceof Error ? error.message : String(error)}`,
        );
        return undefined;
      }
    },
    isOwn: (path, sessionId) => dirname(path) === outputFolder(homeDir, sessionId),
    prune() {
      const oldest = Date.now() - KEEP_MS;
      for (const name of listOf(base)) {
        const folder = join(base, name);
        if ((statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldest)
          rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A model may use an id again: the file that an earlier text names stays as it is. */
function writeNew(path: string, extension: string, content: string): string {
  for (let count = 1; ; count++) {
    const file = `${path}${count === 1 ? '' : `-${count}`}.${extension}`;
    try {
      writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || count === MAX_FILES_OF_ID) throw error;
    }
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
