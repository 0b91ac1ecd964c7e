import type { JsonObject, Session } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { CallSubject } from './call-subject.ts';
import { describeDefault } from './default-policy.ts';
import { answerAsk, judgeCall } from './judge-call.ts';
import { loadRules } from './load-rules.ts';
import { planTool, type ToolPlan } from './tool-plan.ts';
import { type SearchTool, type WithheldPattern, withheldPatterns } from './withheld-patterns.ts';

/** A rule and the place it was written in, for messages; a bare text is named by its list and index. */
export type RuleText = string | { readonly text: string; readonly place: string };

export interface PermissionOptions {
  readonly allow?: readonly RuleText[];
  readonly ask?: readonly RuleText[];
  readonly deny?: readonly RuleText[];
  /** `--yes`: every ask becomes an allow. A deny still denies. */
  readonly yes?: boolean;
  /** Whether a path outside the roots is a full-output file of this session, which `read` and `grep` may open. */
  readonly isOwnOutput?: (absolutePath: string, session: Session) => boolean;
  /** What `~/` in a pattern means. */
  readonly homeDir?: string;
  readonly platform?: NodeJS.Platform;
}

export interface PermissionRequest {
  readonly tool: RegisteredTool;
  /** The snapshot's `shadowsAnother(tool)`. */
  readonly shadowsAnother: boolean;
  /** The final arguments. */
  readonly input: JsonObject;
  readonly session: Session;
  /** The call is the user's own act (`toolpost call`): an ask for it counts as answered yes. */
  readonly userCall?: boolean;
  /** What `pathsToResolve` gave, links resolved: a rule for `secret/**` then also holds for a link to it. */
  readonly realPaths?: readonly string[];
}

/** `source` says what decided: a rule, the defaults, `--yes`, or the user by calling it. */
export interface PermissionDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly source: 'rule' | 'default' | 'flag' | 'user';
  readonly rule?: string;
  /** One clause for people and models: `denied by the rule "bash(rm *)" (permissions.deny[0])`. */
  readonly reason: string;
  /** Of an ask: the rule or flag that would allow the call. */
  readonly remedy?: string;
  /** Of an ask by default: a yes may be kept for later sessions. What a rule asks about is asked in each of them. */
  readonly mayBeKept?: boolean;
}

/** What is known of a tool's calls before there is one, for `toolpost why`: the rules about it, in the order of trial. */
export interface ToolPermissions {
  readonly rules: readonly {
    readonly decision: 'allow' | 'ask' | 'deny';
    readonly text: string;
    readonly place: string;
  }[];
  /** What happens where none of them matches. */
  readonly byDefault: string;
}

export interface Permissions {
  /** Deny, then ask, then allow, then the defaults. Pure; within a fraction of a microsecond where no pattern matters. */
  decide(request: PermissionRequest): PermissionDecision;
  /** The absolute paths whose links the caller has to resolve before it decides; empty where they do not matter. */
  pathsToResolve(request: PermissionRequest): readonly string[];
  /** As they are for sessions of `tenant`, "" when absent. */
  explain(tool: RegisteredTool, shadowsAnother: boolean, tenant?: string): ToolPermissions;
  /**
   * What a search of a folder leaves out of it in sessions of `tenant`, "" when absent: a call names the folder, and no
   * rule about a file in it meets that.
   */
  withheld(tool: SearchTool, tenant?: string): readonly WithheldPattern[];
}

/**
 * Reads the rules. What they need (the glob library, the shell parser) is loaded here and only when a rule needs it.
 * @throws HostError CONFIG_INVALID that names the rule and what is wrong with it.
 */
export async function createPermissions(options: PermissionOptions = {}): Promise<Permissions> {
  const { lists, style, parser } = await loadRules(options);
  const plans = new WeakMap<RegisteredTool, ToolPlan>();
  const shadowingPlans = new WeakMap<RegisteredTool, ToolPlan>();

  const planOf = (tool: RegisteredTool, shadowsAnother: boolean): ToolPlan => {
    const known = (shadowsAnother ? shadowingPlans : plans).get(tool);
    if (known) return known;
    const plan = planTool(tool, shadowsAnother, lists);
    (shadowsAnother ? shadowingPlans : plans).set(tool, plan);
    return plan;
  };
  const subjectOf = (request: PermissionRequest, { kind }: ToolPlan) =>
    new CallSubject(request, { kind, style, parser });

  return {
    decide(request) {
      const plan = planOf(request.tool, request.shadowsAnother);
      const { fixed } = plan;
      if (fixed && fixed.decision !== 'ask') return fixed;
      const subject = subjectOf(request, plan);
      return answerAsk(fixed ?? judgeCall(plan, subject, options), { plan, subject, yes: options.yes === true });
    },
    pathsToResolve(request) {
      const plan = planOf(request.tool, request.shadowsAnother);
      const isSettled = plan.fixed !== undefined && (plan.fixed.decision !== 'ask' || !plan.takesPaths);
      if (isSettled || plan.kind === 'shell') return NO_PATHS;
      const { paths } = subjectOf({ ...request, realPaths: NO_PATHS }, plan);
      return paths.flatMap(({ asGiven, tooLong }) => (tooLong ? [] : [asGiven]));
    },
    explain(tool, shadowsAnother) {
      const plan = planOf(tool, shadowsAnother);
      const rules = (['deny', 'ask', 'allow'] as const).flatMap((decision) =>
        plan[decision].map(({ rule: { text, place } }) => ({ decision, text, place })),
      );
      return { rules, byDefault: describeDefault(plan.policy) };
    },
    withheld(tool) {
      const compiled = options.yes ? lists.deny : [...lists.deny, ...lists.ask];
      return withheldPatterns(
        compiled.map(({ rule }) => rule),
        tool,
      );
    },
  };
}

const NO_PATHS: readonly string[] = Object.freeze([]);
