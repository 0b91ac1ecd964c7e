import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEEP_MS = 7 * 24 * 3_600_000;

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
      const folder = join(base, safeName(sessionId));
      const file = join(folder, `${safeName(callId)}.${extension}`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(file, content, { mode: 0o600 });
        return file;
      } catch (error) {
        onProblem(
          `the whole output could not be kept in ${file}: ${error instanceof Error ? error.message : String(error)}`,
        );
        return undefined;
      }
    },
    isOwn: (path, sessionId) => dirname(path) === join(base, safeName(sessionId)),
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

/** Ids come from models and clients: nothing of them may climb out of the folder. */
function safeName(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 100) || '_';
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
