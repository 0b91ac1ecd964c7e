import { isAbsolute, sep } from 'node:path';
import { fail } from './error-code.ts';

/** PATH_MAX of Linux. */
const MAX_PATH_LENGTH = 4096;

export interface PathParts {
  readonly isAbsolute: boolean;
  /** Its components, without empty ones and `.`; a new array. */
  readonly names: string[];
  readonly mustBeDirectory: boolean;
}

/** Takes a path apart. `/` separates, and on Windows what separates there. @throws invalid, name-too-long */
export function splitPath(path: string): PathParts {
  if (path.length > MAX_PATH_LENGTH) fail('name-too-long');
  // Windows: `a:b` names a stream of a file, and `C:x` a place on another drive.
  if (path.includes('\0') || (sep === '\\' && path.replace(/^[A-Za-z]:[\\/]/, '').includes(':'))) fail('invalid');
  const text = sep === '/' ? path : path.replaceAll(sep, '/');
  return {
    isAbsolute: text.startsWith('/') || isAbsolute(path),
    names: text.split('/').filter((name) => name !== '' && name !== '.'),
    mustBeDirectory: /(?:^|\/)\.{0,2}$/.test(text),
  };
}
