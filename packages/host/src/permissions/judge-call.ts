import type { CallSubject } from './call-subject.ts';
import { coveringRules } from './compiled-rule.ts';
import type { PermissionDecision, PermissionOptions } from './decide.ts';
import { protectedPlace, whyDefaultAsks } from './default-policy.ts';
import { remedyOf } from './remedy.ts';
import { ALLOWED_BY_DEFAULT, allowBy, askBy, askByDefault, denyBy, type ToolPlan } from './tool-plan.ts';

/** Decides a call whose arguments matter: deny, then ask, then the protected places, then allow, then the defaults. */
export function judgeCall(
  plan: ToolPlan,
  subject: CallSubject,
  { isOwnOutput }: PermissionOptions,
): PermissionDecision {
  const denied = plan.deny.find((rule) => rule.touches(subject));
  if (denied) return denyBy(denied);
  const asked = plan.ask.find((rule) => rule.touches(subject));
  if (asked) return askBy(asked);
  const guarded = protectedPlace(plan.policy, subject);
  if (guarded !== undefined) return askByDefault(`writes to ${guarded} always ask`);
  const allowed = coveringRules(plan.allow, subject);
  if (allowed) return allowBy(allowed);
  const { session } = subject.request;
  const why = whyDefaultAsks(plan.policy, subject, { isOwnOutput: (path) => isOwnOutput?.(path, session) === true });
  return why === undefined ? ALLOWED_BY_DEFAULT : askByDefault(why);
}

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

export interface AskScene {
  readonly plan: ToolPlan;
  readonly subject: CallSubject;
  readonly yes: boolean;
}

/** Turns an ask that `--yes` or the user's own call answers into an allow; any other one says what would allow it. */
export function answerAsk(decision: PermissionDecision, { plan, subject, yes }: AskScene): PermissionDecision {
  if (decision.decision !== 'ask') return decision;
  if (yes) return ALLOWED_BY_FLAG;
  if (subject.request.userCall === true) return ALLOWED_BY_USER;
  const isOpen = decision.source === 'default' && protectedPlace(plan.policy, subject) === undefined;
  return { ...decision, remedy: remedyOf(decision.source, isOpen, subject), mayBeKept: isOpen };
}
