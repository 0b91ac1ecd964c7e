import type { CallSubject } from './call-subject.ts';
import type { PermissionDecision } from './decide.ts';
import { escapeGlob } from './text-glob.ts';

const MAX_SUGGESTED = 200;
/** A line of these characters is one simple command, whatever the shell. */
const ONE_COMMAND = /^[\w@%+:,./ -]+$/;
/** Beyond these, escapes in path globs are a matter of luck. `[id].ts` is common enough to be worth it. */
const PLAIN_PATH = /^(?:[\p{L}\p{N}_./@ -]|\\[[\]])+$/u;
const RESERVED_WORDS = new Set(
  'case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);
const HARD_TO_TYPE = /[^\P{C}]|[\u2028\u2029]/u;

/**
 * How to let a call through that was not answered: the narrowest rule that covers it, where one can (`isOpen`: it names
 * no protected place), or the flag.
 */
export function remedyOf(source: PermissionDecision['source'], isOpen: boolean, subject: CallSubject): string {
  if (source === 'rule') return 'allow it with `--yes`, or change that rule';
  if (isBeyondRoots(subject)) return 'give the session its folder with `--root DIR`';
  const rule = isOpen ? narrowRule(subject) : undefined;
  return rule === undefined ? 'allow it with `--yes`' : `allow it with \`--allow ${shellQuoted(rule)}\` or \`--yes\``;
}

/** The built-in file tools open nothing outside the roots, whatever is allowed. */
function isBeyondRoots({ kind, places, request }: CallSubject): boolean {
  const isFileTool = kind === 'path' && request.tool.plugin.origin === 'builtin';
  return isFileTool && places.some(({ inRoots }) => inRoots.length === 0);
}

function narrowRule(subject: CallSubject): string | undefined {
  const { tool, shadowsAnother } = subject.request;
  const name = tool.definition.name.replace(/[\\*?{}():,]/g, '\\$&');
  const head = shadowsAnother ? `${tool.plugin.id}:${name}` : name;
  if (subject.kind === 'shell') return shellRule(head, subject);
  const pattern = subject.kind === 'path' ? onlyPath(subject) : undefined;
  return pattern === undefined ? head : `${head}(${pattern})`;
}

function shellRule(head: string, { primaryText = '', isAllowable }: CallSubject): string | undefined {
  const words = primaryText.trim().split(/ +/);
  const isOneCommand = isAllowable && ONE_COMMAND.test(primaryText) && !RESERVED_WORDS.has(words[0] ?? '');
  return isOneCommand && isSuggestable(primaryText) ? `${head}(${escapeGlob(words.join(' '))})` : undefined;
}

function onlyPath({ places }: CallSubject): string | undefined {
  const patterns = new Set(places.map(({ inRoots, absolute }) => escapeGlob(inRoots[0] ?? absolute)));
  const [only] = patterns;
  return patterns.size === 1 && only !== undefined && PLAIN_PATH.test(only) && isSuggestable(only) ? only : undefined;
}

function isSuggestable(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_SUGGESTED && !HARD_TO_TYPE.test(text) && !text.includes('`');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
