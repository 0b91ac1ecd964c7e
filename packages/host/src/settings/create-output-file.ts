import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf, outputFolder, type SessionName } from './file-names.ts';

const MAX_FILES_OF_ID = 10_000;

/** Which call's output a file holds. */
export interface OutputPlace {
  readonly session: SessionName;
  readonly callId: string;
  readonly extension: string;
}

export interface CreatedFile {
  readonly path: string;
  /** Open for writing; whoever asked closes it. */
  readonly fd: number;
}

/**
 * Makes a new file for a call's whole output: `<home>/cache/outputs/<session>/<call>.<extension>`, 0600. A model may use
 * an id again: the file that an earlier text names stays as it is, and the new one gets a number.
 */
export function createOutputFile(homeDir: string, { session, callId, extension }: OutputPlace): CreatedFile {
  const folder = outputFolder(homeDir, session);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = join(folder, fileNameOf(callId));
  for (let count = 1; ; count++) {
    const path = `${name}${count === 1 ? '' : `-${count}`}.${extension}`;
    try {
      return { path, fd: openSync(path, 'wx', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || count === MAX_FILES_OF_ID) throw error;
    }
  }
}
