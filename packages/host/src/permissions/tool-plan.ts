import { foldName } from '../registry/fold-name.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { type PatternKind, patternKindOf, takesPaths } from './call-subject.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { PermissionDecision } from './decide.ts';
import { type DefaultPolicy, defaultPolicyOf } from './default-policy.ts';

export interface RuleLists {
  readonly allow: readonly CompiledRule[];
  readonly ask: readonly CompiledRule[];
  readonly deny: readonly CompiledRule[];
}

/** What can be said of a tool before any call of it. */
export interface ToolPlan extends RuleLists {
  readonly kind: PatternKind;
  readonly takesPaths: boolean;
  readonly policy: DefaultPolicy;
  /** The decision of every call, where the arguments do not matter. */
  readonly fixed?: PermissionDecision;
}

/** Picks the rules that are about this tool, and decides at once when no pattern, path or command matters. */
export function planTool(tool: RegisteredTool, shadowsAnother: boolean, lists: RuleLists): ToolPlan {
  const folded = foldName(tool.definition.name);
  const isAbout = ({ rule }: CompiledRule) =>
    rule.matchesName(folded) && (rule.plugin === undefined || rule.plugin === tool.plugin.id);
  const plan: ToolPlan = {
    deny: lists.deny.filter(isAbout),
    ask: lists.ask.filter(isAbout),
    allow: lists.allow.filter((rule) => isAbout(rule) && (rule.rule.plugin !== undefined || !shadowsAnother)),
    kind: patternKindOf(tool),
    takesPaths: takesPaths(tool),
    policy: defaultPolicyOf(tool, shadowsAnother),
  };
  const fixed = fixedDecision(plan, tool);
  return fixed ? { ...plan, fixed } : plan;
}

function fixedDecision({ deny, ask, allow, kind, takesPaths: hasPaths, policy }: ToolPlan, tool: RegisteredTool) {
  const denied = deny.find(isUnconditional);
  if (denied) return denyBy(denied);
  if (deny.length > 0) return undefined;
  const asked = ask.find(isUnconditional);
  if (asked) return askBy(asked);
  if (ask.length > 0) return undefined;
  if (allow.length === 0 && policy === 'asks') return askByDefault(`${tool.definition.name} asks before each call`);
  if (kind === 'shell' || hasPaths || policy === 'reads') return undefined;
  const allowed = allow.find(isUnconditional);
  if (allowed) return allowBy([allowed]);
  return allow.length === 0 ? ALLOWED_BY_DEFAULT : undefined;
}

function isUnconditional({ rule }: CompiledRule): boolean {
  return rule.pattern === undefined;
}

export const ALLOWED_BY_DEFAULT: PermissionDecision = Object.freeze({
  decision: 'allow',
  source: 'default',
  reason: 'allowed by default',
});

export function allowBy(rules: readonly CompiledRule[]): PermissionDecision {
  const rule = rules.map((one) => one.rule.text).join(', ');
  const reason = `allowed by ${rules.map((one) => cited(one.rule)).join(' and ')}`;
  return Object.freeze({ decision: 'allow', source: 'rule', rule, reason });
}

export function askBy({ rule }: CompiledRule): PermissionDecision {
  return Object.freeze({ decision: 'ask', source: 'rule', rule: rule.text, reason: `${cited(rule)} asks` });
}

export function denyBy({ rule }: CompiledRule): PermissionDecision {
  return Object.freeze({ decision: 'deny', source: 'rule', rule: rule.text, reason: `denied by ${cited(rule)}` });
}

export function askByDefault(reason: string): PermissionDecision {
  return Object.freeze({ decision: 'ask', source: 'default', reason });
}

function cited({ text, place }: CompiledRule['rule']): string {
  return `the rule "${text}" (${place})`;
}
