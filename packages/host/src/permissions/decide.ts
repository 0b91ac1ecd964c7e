import { homedir } from 'node:os';
import type { JsonObject, Session } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { PathStyle } from './call-paths.ts';
import { CallSubject } from './call-subject.ts';
import { type CompiledRule, compileRule, coveringRules } from './compiled-rule.ts';
import { describeDefault, protectedPlace, whyDefaultAsks } from './default-policy.ts';
import { type PermissionRule, parseRule } from './parse-rule.ts';
import type { PathPatternOptions } from './path-pattern.ts';
import { remedyOf } from './remedy.ts';
import type { ShellParser } from './shell-line.ts';
import { ALLOWED_BY_DEFAULT, allowBy, askBy, askByDefault, denyBy, planTool, type ToolPlan } from './tool-plan.ts';

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
  explain(tool: RegisteredTool, shadowsAnother: boolean): ToolPermissions;
}

/**
 * Reads the rules. What they need (the glob library, the shell parser) is loaded here and only when a rule needs it.
 * @throws HostError CONFIG_INVALID that names the rule and what is wrong with it.
 */
export async function createPermissions(options: PermissionOptions = {}): Promise<Permissions> {
  const rules = {
    allow: parseRules(options.allow, 'permissions.allow'),
    ask: parseRules(options.ask, 'permissions.ask'),
    deny: parseRules(options.deny, 'permissions.deny'),
  };
  const all = Object.values(rules).flat();
  const platform = options.platform ?? process.platform;
  const style: PathStyle = { windows: platform === 'win32', foldsCase: platform === 'win32' || platform === 'darwin' };
  const patternOptions = await loadPatternOptions(all, style, options.homeDir);
  const parser = await loadShellParser(all);
  const compiled = (list: readonly PermissionRule[]) => list.map((rule) => compileRule(rule, patternOptions));
  const lists = { allow: compiled(rules.allow), ask: compiled(rules.ask), deny: compiled(rules.deny) };
  return new RuledPermissions({ lists, style, parser, options });
}

function parseRules(texts: readonly RuleText[] = [], list: string): PermissionRule[] {
  return texts.map((rule, index) =>
    typeof rule === 'object' && rule !== null ? parseRule(rule.text, rule.place) : parseRule(rule, `${list}[${index}]`),
  );
}

async function loadPatternOptions(
  rules: readonly PermissionRule[],
  style: PathStyle,
  homeDir = homedir(),
): Promise<PathPatternOptions | undefined> {
  if (!rules.some((rule) => rule.pattern !== undefined && !isShellOnly(rule))) return undefined;
  const { default: picomatch } = await import('picomatch');
  return { picomatch, style, homeDir };
}

async function loadShellParser(rules: readonly PermissionRule[]): Promise<ShellParser | undefined> {
  return rules.some((rule) => rule.pattern !== undefined && !isFileOnly(rule)) ? await import('unbash') : undefined;
}

const FILE_TOOLS = ['read', 'write', 'edit', 'glob', 'grep'];

function isShellOnly(rule: PermissionRule): boolean {
  return /^bash\(/i.test(rule.text);
}

function isFileOnly(rule: PermissionRule): boolean {
  return FILE_TOOLS.some((name) => rule.text.toLowerCase().startsWith(`${name}(`));
}

interface PermissionParts {
  readonly lists: { allow: CompiledRule[]; ask: CompiledRule[]; deny: CompiledRule[] };
  readonly style: PathStyle;
  readonly parser: ShellParser | undefined;
  readonly options: PermissionOptions;
}

class RuledPermissions implements Permissions {
  readonly #parts: PermissionParts;
  readonly #plans = new WeakMap<RegisteredTool, ToolPlan>();
  readonly #shadowingPlans = new WeakMap<RegisteredTool, ToolPlan>();

  constructor(parts: PermissionParts) {
    this.#parts = parts;
  }

  decide(request: PermissionRequest): PermissionDecision {
    const plan = this.#planOf(request.tool, request.shadowsAnother);
    const { fixed } = plan;
    if (fixed && fixed.decision !== 'ask') return fixed;
    const subject = this.#subjectOf(request, plan);
    return this.#answered(fixed ?? this.#judge(plan, subject), plan, subject);
  }

  pathsToResolve(request: PermissionRequest): readonly string[] {
    const plan = this.#planOf(request.tool, request.shadowsAnother);
    if (plan.fixed || plan.kind === 'shell') return NO_PATHS;
    const subject = this.#subjectOf({ ...request, realPaths: NO_PATHS }, plan);
    return subject.paths.flatMap(({ absolute, tooLong }) => (tooLong ? [] : [absolute]));
  }

  explain(tool: RegisteredTool, shadowsAnother: boolean): ToolPermissions {
    const plan = this.#planOf(tool, shadowsAnother);
    const rules = (['deny', 'ask', 'allow'] as const).flatMap((decision) =>
      plan[decision].map(({ rule: { text, place } }) => ({ decision, text, place })),
    );
    return { rules, byDefault: describeDefault(plan.policy) };
  }

  #planOf(tool: RegisteredTool, shadowsAnother: boolean): ToolPlan {
    const plans = shadowsAnother ? this.#shadowingPlans : this.#plans;
    const known = plans.get(tool);
    if (known) return known;
    const plan = planTool(tool, shadowsAnother, this.#parts.lists);
    plans.set(tool, plan);
    return plan;
  }

  #subjectOf(request: PermissionRequest, { kind }: ToolPlan): CallSubject {
    const { style, parser } = this.#parts;
    return new CallSubject(request, { kind, style, parser });
  }

  #judge(plan: ToolPlan, subject: CallSubject): PermissionDecision {
    const denied = plan.deny.find((rule) => rule.touches(subject));
    if (denied) return denyBy(denied);
    const asked = plan.ask.find((rule) => rule.touches(subject));
    if (asked) return askBy(asked);
    const guarded = protectedPlace(plan.policy, subject);
    if (guarded !== undefined) return askByDefault(`writes to ${guarded} always ask`);
    const allowed = coveringRules(plan.allow, subject);
    if (allowed) return allowBy(allowed);
    const { isOwnOutput } = this.#parts.options;
    const { session } = subject.request;
    const why = whyDefaultAsks(plan.policy, subject, { isOwnOutput: (path) => isOwnOutput?.(path, session) === true });
    return why === undefined ? ALLOWED_BY_DEFAULT : askByDefault(why);
  }

  /** An ask that `--yes` or the user's own call answers; any other one says what would allow it. */
  #answered(decision: PermissionDecision, plan: ToolPlan, subject: CallSubject): PermissionDecision {
    if (decision.decision !== 'ask') return decision;
    if (this.#parts.options.yes === true) return ALLOWED_BY_FLAG;
    if (subject.request.userCall === true) return ALLOWED_BY_USER;
    return { ...decision, remedy: remedyOf(decision.source, plan.policy, subject) };
  }
}

const NO_PATHS: readonly string[] = Object.freeze([]);
const ALLOWED_BY_FLAG: PermissionDecision = Object.freeze({
  decision: 'allow',
  source: 'flag',
  reason: 'allowed by --yes',
});
const ALLOWED_BY_USER: PermissionDecision = Object.freeze({
  decision: 'allow',
  source: 'user',
  reason: 'the user called it',
});
