/** An expected failure of a built-in tool: its message is what the model reads, and says what to do next. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

const CAUSES: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be reached: permission denied',
  EPERM: 'cannot be changed: the system does not permit it',
  EISDIR: 'is a directory',
  ENOTDIR: 'cannot be reached: a part of the path is a file, not a directory',
  ELOOP: 'cannot be reached: its symbolic links lead in a circle',
  ENAMETOOLONG: 'cannot be used: the name is too long for the file system',
  ENOSPC: 'was not written: the disk is full; nothing was changed',
  EDQUOT: 'was not written: the disk quota is used up; nothing was changed',
  EROFS: 'was not written: the file system is read-only',
  EMFILE: 'cannot be opened: too many files are open; try again',
  ENFILE: 'cannot be opened: too many files are open; try again',
};

/** What a file system error means for `path`, as the caller wrote it. Any other error comes back unchanged. */
export function fileFailure(error: unknown, path: string): unknown {
  const code = errorCode(error);
  const cause = code === undefined ? undefined : CAUSES[code];
  return cause === undefined ? error : new ToolFailure(`${path} ${cause}`);
}

/** The code of a system error (`ENOENT`, ...); nothing for other values. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
