import type picomatch from 'picomatch';
import type { CallPath, PathStyle } from './call-paths.ts';
import { withLiteralParentheses } from './literal-parentheses.ts';

/** A rule's pattern as a glob on paths: `src/**` inside a root, `/etc/**` and `~/.ssh/**` anywhere. */
export interface PathPattern {
  /** Whether the path is certainly meant: what an allow rule needs. */
  covers(path: CallPath): boolean;
  /** Whether the path may be meant: what an ask or deny rule needs, where a miss is the danger. */
  touches(path: CallPath): boolean;
}

export interface PathPatternOptions {
  readonly picomatch: typeof picomatch;
  readonly style: PathStyle;
  readonly homeDir: string;
}

/** @throws RangeError that says what is wrong with the pattern and how to write it. */
export function compilePathPattern(pattern: string, { picomatch, style, homeDir }: PathPatternOptions): PathPattern {
  if (pattern.startsWith('!') && pattern[1] !== '(') {
    throw new RangeError(
      'starts with `!`: a rule cannot be negated; write one of the opposite list, or `\\!` for the character',
    );
  }
  const glob = normalised(pattern, homeDir, style);
  const regex = picomatch.makeRe(glob, {
    dot: true,
    nonegate: true,
    windows: false,
    // `s`: a file's name may hold a line feed, which must not hide it from `**`.
    flags: style.foldsCase ? 'si' : 's',
    // Else a glob that cannot be read would silently match nothing, also in `deny`.
    debug: true,
  });
  const matches = (path: string) => regex.test(path);
  if (isAbsolute(glob)) {
    const covers = ({ spellings, tooLong }: CallPath) => !tooLong && spellings.some(matches);
    return { covers, touches: (path) => path.tooLong || covers(path) };
  }
  const everything = glob === '**' || glob === '**/*';
  const covers = ({ inRoots }: CallPath) =>
    inRoots.some((relative) => (relative === '.' ? everything || matches('.') : matches(relative)));
  // `**/.env` is meant wherever the file lies, also outside the roots.
  const anywhere = glob.startsWith('**');
  const touches = (path: CallPath) =>
    path.tooLong || covers(path) || (anywhere && path.spellings.some((one) => matches(one.slice(1))));
  return { covers, touches };
}

function normalised(pattern: string, homeDir: string, { windows }: PathStyle): string {
  const composed = withLiteralParentheses(pattern.normalize('NFC'));
  if (/^~(?:\/|$)/.test(composed))
    return literal(windows ? homeDir.replaceAll('\\', '/') : homeDir) + composed.slice(1);
  const relative = composed.replace(/^(?:\.\/+)+/, '');
  if (/(?:^|\/)\.\.(?:\/|$)/.test(relative)) {
    throw new RangeError('leaves the root with `..`: write the absolute path');
  }
  return relative.endsWith('/') && relative !== '/' ? `${relative}**` : relative;
}

function isAbsolute(glob: string): boolean {
  return glob.startsWith('/') || /^[a-zA-Z]:\//.test(glob);
}

function literal(path: string): string {
  return path.replace(/[\\*?{}[\]()!+@|]/g, '\\$&');
}
