import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** No rules that a person wrote are longer. */
const MAX_IGNORE_FILE_BYTES = 1_000_000;
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of a `.gitignore`; nothing for what is no regular file, cannot be read or is far too long. */
export function readIgnoreFile(file: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | NO_FOLLOW);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= MAX_IGNORE_FILE_BYTES ? readFileSync(fd, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
