import { HostError } from '@toolpost/protocol';
import type { CallPart, CallSubject } from './call-subject.ts';
import type { PermissionRule } from './parse-rule.ts';
import { compilePathPattern, type PathPattern, type PathPatternOptions } from './path-pattern.ts';
import { compileTextGlob, type TextGlob } from './text-glob.ts';

/** A rule that can be tried on calls of the tools whose name it matches. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** Whether the rule, in `allow`, covers this part of a call. */
  covers(part: CallPart): boolean;
  /** Whether the rule, in `ask` or `deny`, meets any part of the call. */
  touches(subject: CallSubject): boolean;
}

/** @throws HostError CONFIG_INVALID that names the rule and what is wrong with its pattern. */
export function compileRule(rule: PermissionRule, options: PathPatternOptions | undefined): CompiledRule {
  const { pattern } = rule;
  if (pattern === undefined) return { rule, covers: () => true, touches: () => true };
  try {
    const text = compileTextGlob(pattern);
    const path = options && compilePathPattern(pattern, options);
    return {
      rule,
      covers: (part) => ('absolute' in part ? path?.covers(part) === true : part.some(text)),
      touches: (subject) => touches(subject, text, path),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = `${rule.place}: the rule "${rule.text}": its pattern ${error.message}`;
    throw new HostError('CONFIG_INVALID', message, { cause: error });
  }
}

/**
 * The rules of `allow` that cover the call: one without a pattern, or those that cover each of its parts, so that
 * `npm test && git log` needs a rule for either command.
 */
export function coveringRules(
  rules: readonly CompiledRule[],
  subject: CallSubject,
): readonly CompiledRule[] | undefined {
  if (rules.length === 0 || !subject.isAllowable) return undefined;
  const every = rules.find(({ rule }) => rule.pattern === undefined);
  if (every) return [every];
  const used = new Set<CompiledRule>();
  for (const part of subject.parts) {
    const covering = rules.find((rule) => rule.covers(part));
    if (!covering) return undefined;
    used.add(covering);
  }
  return used.size > 0 ? [...used] : undefined;
}

function touches(subject: CallSubject, text: TextGlob, path: PathPattern | undefined): boolean {
  if (subject.kind === 'shell') return subject.line.texts.some(text);
  if (path && subject.paths.some(path.touches)) return true;
  if (subject.kind === 'path') return subject.paths.length === 0 && subject.texts.some(text);
  return subject.texts.some((value) => text(value) || path?.touches(subject.locate(value)) === true);
}
