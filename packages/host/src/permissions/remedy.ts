import type { CallSubject } from './call-subject.ts';
import { mentionsToolpost } from './shell-line.ts';
import { escapeGlob } from './text-glob.ts';

const MAX_SUGGESTED = 200;
/** A line of these characters is one simple command, whatever the shell. */
const ONE_COMMAND = /^[\w@%+:,./ -]+$/;
const HARD_TO_TYPE = /[^\P{C}]|[\u2028\u2029]/u;

/** How to let a call through that a default stopped: the narrowest rule that covers it, else the flag alone. */
export function remedyForDefault(subject: CallSubject): string {
  const rule = narrowRule(subject);
  return rule === undefined ? 'allow it with `--yes`' : `allow it with \`--allow ${shellQuoted(rule)}\` or \`--yes\``;
}

function narrowRule(subject: CallSubject): string | undefined {
  const { tool, shadowsAnother } = subject.request;
  const name = tool.definition.name.replace(/[\\*?{}():,]/g, '\\$&');
  const head = shadowsAnother ? `${tool.plugin.id}:${name}` : name;
  if (subject.kind === 'shell') {
    const line = subject.primaryText ?? '';
    return isSuggestable(line) && ONE_COMMAND.test(line) && !mentionsToolpost(line)
      ? `${head}(${escapeGlob(line.trim().replace(/ +/g, ' '))})`
      : undefined;
  }
  const pattern = subject.kind === 'path' ? onlyPath(subject) : undefined;
  return pattern === undefined ? head : `${head}(${pattern})`;
}

function onlyPath({ paths }: CallSubject): string | undefined {
  const patterns = new Set(paths.map(({ inRoots, absolute }) => escapeGlob(inRoots[0] ?? absolute)));
  const [only] = patterns;
  return patterns.size === 1 && only !== undefined && isSuggestable(only) ? only : undefined;
}

function isSuggestable(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_SUGGESTED && !HARD_TO_TYPE.test(text) && !text.includes('`');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
