import type { Command, SyntaxNode, Word } from 'unbash';
import { compileTextGlob } from './text-glob.ts';

/** The shell parser: the whole package, loaded only when a rule needs it. */
export type ShellParser = typeof import('unbash');

/** What the rules look at of one shell line. */
export interface ShellLine {
  /**
   * The spellings of each simple command, of which an allow rule must match one for every command. Absent when the line
   * holds anything else: substitutions, redirections, assignments, compound commands, or what cannot be parsed.
   */
  readonly plain?: readonly (readonly string[])[];
  /**
   * Every text that an ask or deny rule is tried on: the whole line, and each command however deep it is nested. A rule
   * for a command is a fence, not a wall: `x=rm; $x file` names no command before it runs.
   */
  readonly texts: readonly string[];
}

/** What may stand in a line that an allow rule covers. Everything that is not listed here is refused. */
const PLAIN_NODES = new Set<SyntaxNode['type']>([
  'Script',
  'Statement',
  'AndOr',
  'Pipeline',
  'Negation',
  'Time',
  'Command',
  'Word',
  'Literal',
  'Glob',
  'SingleQuoted',
  'DoubleQuoted',
]);
/** Commands whose arguments are a command: a deny rule for `rm *` also means `sudo rm -rf x`. */
const RUNS_ANOTHER = new Set(
  (
    'sudo doas su runuser pkexec chroot unshare env eval xargs parallel watch flock nohup nice ionice time timeout command ' +
    'exec builtin stdbuf setsid strace busybox find npx bunx uvx'
  ).split(' '),
);
const MAX_UNWRAPPED_WORDS = 16;
const MAX_DEPTH = 64;
const MAX_ALLOWED_LENGTH = 65_536;
/** What a shell and a parser, or a person, may read differently: control and invisible characters, odd blanks. */
const AMBIGUOUS_CHARACTER = /[^\P{C}\t\n]|[^\S \t\n]/u;

/** Reads a shell line. Without the parser, or where parsing fails, no allow rule covers it and the raw text is searched. */
export function readShellLine(source: string, parser: ShellParser | undefined): ShellLine {
  const texts = new Set([source.trim(), ...segments(source).flatMap(withRunOnes)]);
  if (!parser) return { texts: [...texts] };
  try {
    const script = parser.parse(source);
    const found: Found = { plain: !script.errors?.length && isReadable(source), commands: [], texts };
    visit(script, found, { parser, depth: 0 });
    return { texts: [...texts], ...plainForms(found, source) };
  } catch (error) {
    // The parser's own stack overflow on absurd nesting; the texts that were found before it still count.
    if (error instanceof RangeError) return { texts: [...texts] };
    throw error;
  }
}

interface Found {
  plain: boolean;
  readonly commands: Command[];
  readonly texts: Set<string>;
}

function isReadable(source: string): boolean {
  return source.length <= MAX_ALLOWED_LENGTH && !AMBIGUOUS_CHARACTER.test(source);
}

function visit(node: SyntaxNode, found: Found, { parser, depth }: { parser: ShellParser; depth: number }): void {
  if (!PLAIN_NODES.has(node.type)) found.plain = false;
  // Nobody nests so deep in good faith; each level is parsed anew, and the raw text is searched anyway.
  if (depth > MAX_DEPTH) return;
  if (node.type === 'Command') {
    found.commands.push(node);
    addDeniable(wordsOf(node), found.texts);
  }
  parser.forEachChild(node, (child) => visit(child, found, { parser, depth: depth + 1 }));
}

function wordsOf({ name, args }: Command): string[] {
  const words = name ? [name.value] : [];
  for (const arg of args) words.push(arg.type === 'Word' ? arg.value : arg.text);
  return words;
}

function plainForms({ plain, commands }: Found, source: string): Pick<ShellLine, 'plain'> {
  const isCovered = plain && commands.length > 0 && commands.every(({ name }) => name !== undefined && !hasGlob(name));
  if (!isCovered) return {};
  return { plain: commands.map((command) => [shown(wordsOf(command)), source.slice(command.pos, command.end)]) };
}

/** A command that is named by a glob runs whatever file matches. */
function hasGlob(word: Word): boolean {
  return word.parts?.some(({ type }) => type === 'Glob') === true;
}

function addDeniable(words: readonly string[], texts: Set<string>): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = lastName(first);
  for (const variant of [words, [name, ...rest]]) texts.add(shown(variant)).add(variant.join(' '));
  for (const run of runBy(name, rest)) texts.add(run);
}

/** A piece of the raw text, and what it may run: `sh -c "exec rm x"`. */
function withRunOnes(segment: string): string[] {
  const [first = '', ...rest] = segment.split(/\s+/, MAX_UNWRAPPED_WORDS * 2);
  return [segment, ...runBy(lastName(first), rest)];
}

/** Each rest of the words that may be a command, where the first one runs another. */
function runBy(name: string, rest: readonly string[]): string[] {
  if (!RUNS_ANOTHER.has(name)) return [];
  return rest.slice(0, MAX_UNWRAPPED_WORDS).map((_, start) => shown(rest.slice(start)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The words as one would type them: quoted only where they need it. */
function shown(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~^!*?[\]{}-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}

/** What stands between the shell's separators, also inside quotes: `sh -c "rm -rf x"`, `eval`, broken lines. */
function segments(source: string): string[] {
  return source
    .split(/[;&|\n(){}`"'$<>]+/)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
}

/** Whether the line names `toolpost` as a command somewhere, also quoted, by path, with a version, or by a glob. */
export function mentionsToolpost(source: string): boolean {
  const bare = unquoted(source);
  return TOOLPOST.test(bare) || globWords(bare).some((last) => NAMES.some((name) => globMatches(last, name)));
}

/** The protected place that the line names as a word or part of a path: `.git/`, `.toolpost/`, `.mcp.json`. */
export function protectedMention(source: string): string | undefined {
  const bare = unquoted(source);
  const named = PROTECTED.exec(bare)?.[1]?.toLowerCase();
  if (named !== undefined) return named;
  const parts = bare.split(/[\s/=:,;&|<>(){}]+/).filter((part) => part.startsWith('.') && /[*?[]/.test(part));
  return PLACES.find((place) => parts.some((part) => globMatches(part, place)));
}

const TOOLPOST = /(?:^|[^\w-])toolpost(?:\.(?:[cm]?js|cmd|ps1|exe))?(?![\w./-])/i;
const NAMES = ['toolpost', 'toolpost.js'];
const PROTECTED = /(?:^|[\s/=:,;&|<>(){}])(\.git|\.toolpost|\.mcp\.json)(?=$|[\s/=:,;&|<>(){}])/i;
const PLACES = ['.git', '.toolpost', '.mcp.json'];

function unquoted(source: string): string {
  return source.replace(/\\\n|["'\\]/g, '');
}

/** The last names of the words with a glob that still spell something: `*` alone names every file, and no command. */
function globWords(bare: string): string[] {
  return bare
    .split(/[\s;&|<>()]+/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .filter((last) => /[*?[{]/.test(last) && /[a-z]/i.test(last) && !last.startsWith('.'));
}

function globMatches(glob: string, name: string): boolean {
  if (glob.length > 128) return false;
  try {
    return compileTextGlob(glob.replace(/\[[^\]]*\]/g, '?').toLowerCase())(name);
  } catch {
    // Too many alternatives to look at: assume the worst.
    return true;
  }
}
