import { HostError } from '@toolpost/protocol';
import type { CallSubject } from './call-subject.ts';
import type { PermissionRule } from './parse-rule.ts';
import { compilePathPattern, type PathPattern, type PathPatternOptions } from './path-pattern.ts';
import { mentionsToolpost } from './shell-line.ts';
import { compileTextGlob, type TextGlob } from './text-glob.ts';

/** A rule that can be tried on calls of the tools whose name it matches. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** Whether the rule, in `allow`, covers the whole of the call. */
  covers(subject: CallSubject): boolean;
  /** Whether the rule, in `ask` or `deny`, meets any part of the call. */
  touches(subject: CallSubject): boolean;
}

/** @throws HostError CONFIG_INVALID that names the rule and what is wrong with its pattern. */
export function compileRule(rule: PermissionRule, options: PathPatternOptions | undefined): CompiledRule {
  const { pattern } = rule;
  if (pattern === undefined) return { rule, covers: coversEvery, touches: () => true };
  try {
    const text = compileTextGlob(pattern);
    const path = options && pathPatternOf(pattern, options);
    return {
      rule,
      covers: (subject) => covers(subject, text, path),
      touches: (subject) => touches(subject, text, path),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new HostError('CONFIG_INVALID', `${rule.place}: the rule "${rule.text}": its pattern ${error.message}`, {
      cause: error,
    });
  }
}

/** A rule for `bash` alone may concern commands that are no paths: there it is compared as text only. */
function pathPatternOf(pattern: string, options: PathPatternOptions): PathPattern {
  return compilePathPattern(pattern, options);
}

/** `call` answers its own asks with yes, so a line that runs `toolpost` could allow anything to itself. */
function coversEvery({ kind, primaryText }: CallSubject): boolean {
  return kind !== 'shell' || (primaryText !== undefined && !mentionsToolpost(primaryText));
}

function covers(subject: CallSubject, text: TextGlob, path: PathPattern | undefined): boolean {
  const { kind, primaryText } = subject;
  if (kind === 'path') return path !== undefined && subject.paths.length > 0 && subject.paths.every(path.covers);
  if (primaryText === undefined) return false;
  if (kind === 'text') return text(primaryText);
  const { plain } = subject.line;
  return plain?.every((spellings) => spellings.some(text)) === true && !mentionsToolpost(primaryText);
}

function touches(subject: CallSubject, text: TextGlob, path: PathPattern | undefined): boolean {
  if (subject.kind === 'shell') return subject.line.texts.some(text);
  if (path && subject.paths.some(path.touches)) return true;
  if (subject.kind === 'path') return subject.paths.length === 0 && subject.texts.some(text);
  return subject.texts.some((value) => text(value) || path?.touches(subject.locate(value)) === true);
}
