import { posix, win32 } from 'node:path';
import type { JsonObject, RootSpelling, Session } from '@toolpost/protocol';

/** How paths are read: the platform's separators, and whether `.ENV` is `.env`. */
export interface PathStyle {
  readonly windows: boolean;
  readonly foldsCase: boolean;
}

export function pathStyleOf(platform: NodeJS.Platform): PathStyle {
  return { windows: platform === 'win32', foldsCase: platform === 'win32' || platform === 'darwin' };
}

/** A path of a call in the forms that rules and defaults look at. Purely lexical: the caller resolves links. */
export interface CallPath {
  /** Absolute, without `.`, `..` and doubled separators; `/` between names on every platform. */
  readonly absolute: string;
  /** The same by every spelling of the root that holds it, this one included: rules are written in any of them. */
  readonly spellings: readonly string[];
  /** The same in the very characters that were given: two files may differ in the form of their accents only. */
  readonly asGiven: string;
  /** Relative to each root that holds it, by whichever spelling, `.` being the root itself. Empty outside all roots. */
  readonly inRoots: readonly string[];
  /** Longer than any file system takes: no rule can be checked on it in bounded time. */
  readonly tooLong: boolean;
}

const MAX_PATH_LENGTH = 8192;
const WHOLE_WORD = /^(?:file|path|filename|filepath|dir|directory|folder|cwd|file_?[nN]ame|file_?[pP]ath)s?$/;
const LAST_WORD =
  /(?:[_-](?:file|path|filename|filepath|dir|directory|folder)|(?:File|Path|Filename|FilePath|FileName|Dir|Directory|Folder))s?$/;

/** Whether an argument of this name holds a path: `file_path`, `path`, `targetFile`, `dirs`. */
export function isPathArgument(name: string): boolean {
  return WHOLE_WORD.test(name) || LAST_WORD.test(name);
}

/** The texts of every argument that holds a path, whether or not the schema knows it: tools accept aliases. */
export function pathTexts(input: JsonObject): string[] {
  const texts: string[] = [];
  for (const name of Object.keys(input)) if (isPathArgument(name)) texts.push(...textsIn(input[name]));
  return texts;
}

/** A text, or the texts of a list. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The roots of a session as paths are compared with them. */
export type RootNames = Pick<Session, 'roots' | 'rootSpellings'>;

/** A relative path starts in the first root. */
export function locatePath(text: string, { roots, rootSpellings = NONE }: RootNames, style: PathStyle): CallPath {
  if (text.length > MAX_PATH_LENGTH) return { absolute: '', spellings: [], asGiven: '', inRoots: [], tooLong: true };
  const path = style.windows ? win32 : posix;
  const asGiven = path.resolve(roots[0] ?? path.sep, text);
  const absolute = comparable(asGiven, style);
  const inRoots: string[] = [];
  for (const root of roots) {
    const relative = relativeTo(comparable(root, style), absolute, style);
    if (relative !== undefined) inRoots.push(relative);
  }
  const spellings = [absolute];
  for (const { root, spelling } of rootSpellings) {
    const [real, other] = [comparable(root, style), comparable(spelling, style)];
    const below = relativeTo(other, absolute, style);
    const relative = below ?? relativeTo(real, absolute, style);
    if (below !== undefined) inRoots.push(below);
    if (relative !== undefined) spellings.push(joined(below === undefined ? other : real, relative));
  }
  return { absolute, spellings, asGiven, inRoots, tooLong: false };
}

const NONE: readonly RootSpelling[] = [];

function joined(root: string, relative: string): string {
  if (relative === '.') return root;
  return root.endsWith('/') ? root + relative : `${root}/${relative}`;
}

/** One spelling for one file: composed accents (a tool may open the other form), and `/`. */
function comparable(path: string, { windows }: PathStyle): string {
  const composed = path.normalize('NFC');
  return windows ? composed.replaceAll('\\', '/') : composed;
}

function relativeTo(root: string, absolute: string, { foldsCase }: PathStyle): string | undefined {
  const base = root.endsWith('/') ? root.slice(0, -1) : root;
  const [parent, path] = foldsCase ? [base.toLowerCase(), absolute.toLowerCase()] : [base, absolute];
  if (path === parent || absolute === root) return '.';
  return path.startsWith(`${parent}/`) ? absolute.slice(base.length + 1) : undefined;
}
