import type { ToolCallContext } from '../tool-call-context.ts';

export interface FileStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970; absent where the file system keeps none. */
  readonly modifiedAt?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/**
 * The files that a call may touch. Paths are absolute, or relative to the first root; what lies outside of the roots is
 * refused, and nothing is changed in a root that is read-only. Each function throws a FileError.
 */
export interface Files {
  readTextFile(path: string): Promise<string>;
  readFile(path: string): Promise<Uint8Array>;
  /** Writes the whole file anew, or creates it. Its directory must exist. */
  writeTextFile(path: string, text: string): Promise<void>;
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Adds to the end of a file, or creates it. */
  appendTextFile(path: string, text: string): Promise<void>;
  /** Makes a directory; `recursive` also those above it, and is content when it exists. */
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  /** What lies directly in a directory, by name. */
  readDir(path: string): Promise<DirectoryEntry[]>;
  stat(path: string): Promise<FileStat>;
  exists(path: string): Promise<boolean>;
  /** Removes a file or an empty directory; `recursive` a full one. */
  remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/** What of a call's context files need. */
export type FilesContext = Pick<ToolCallContext, 'roots'> & {
  readonly session?: Pick<ToolCallContext['session'], 'readOnlyRoots'>;
};

export const FILE_ERROR_REASONS = {
  'not-found': 'it does not exist',
  exists: 'it exists already',
  'is-directory': 'it is a directory',
  'not-directory': 'a part of its path is no directory',
  'not-empty': 'the directory is not empty',
  'not-permitted': 'it is not permitted',
  'read-only': 'the session grants its directory for reading only',
  'no-space': 'no space is left',
  'too-many-links': 'its links go in a circle',
  'name-too-long': 'its name is too long',
  'cross-device': 'the two lie on different file systems',
} as const;
export type FileErrorCode = keyof typeof FILE_ERROR_REASONS | 'outside-roots' | 'other';

/** Why something could not be done to a file: the same codes and words in a process and in a component. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileErrorCode;
  readonly path: string;

  constructor(message: string, { code, path, cause }: { code: FileErrorCode; path: string; cause?: unknown }) {
    super(message, { cause });
    this.code = code;
    this.path = path;
  }
}

/** What could not be done, and why: `cannot read notes.txt: it does not exist`. */
export function fileError(action: string, path: string, { code, detail, cause }: FileFailure): FileError {
  const reason = code === 'other' || code === 'outside-roots' ? detail : FILE_ERROR_REASONS[code];
  return new FileError(`cannot ${action} ${path}: ${reason}`, { code, path, cause });
}

export interface FileFailure {
  readonly code: FileErrorCode;
  /** The reason in words, for a code that has none of its own. */
  readonly detail: string;
  readonly cause?: unknown;
}

/** Says that a path lies outside, and which directories there are instead. */
export function outsideRoots(roots: readonly string[], path: string): FileError {
  const message =
    roots.length === 0
      ? `${path} cannot be used: the session grants no directory`
      : `${path} is outside the directories that the session grants: ${roots.join(', ')}`;
  return new FileError(message, { code: 'outside-roots', path });
}
