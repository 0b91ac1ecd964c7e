import { closeSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import { type CreatedFile, createOutputFile, type OutputPlace } from '../settings/create-output-file.ts';
import { outputFolder, type SessionName } from '../settings/file-names.ts';

const KEEP_MS = 7 * 24 * 3_600_000;

export interface OutputFiles {
  /** Keeps a whole output and returns its path; undefined when it cannot be written. */
  keep(place: OutputPlace, content: string): string | undefined;
  /** Whether an absolute path is a file of this session. */
  isOwn(path: string, session: SessionName): boolean;
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
    keep(place, content) {
      try {
        return writeFile(createOutputFile(homeDir, place), content);
      } catch (error) {
        const folder = outputFolder(homeDir, place.session);
        onProblem(`the whole output could not be kept in ${folder}: ${messageOf(error)}`);
        return undefined;
      }
    },
    // Calls are judged by real paths, and the home may be named by a link.
    isOwn: (path, session) =>
      [homeDir, realpathSync(homeDir)].some((home) => dirname(path) === outputFolder(home, session)),
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

function writeFile({ path, fd }: CreatedFile, content: string): string {
  try {
    writeFileSync(fd, content);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
