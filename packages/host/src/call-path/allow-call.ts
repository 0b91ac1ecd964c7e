import type { CallInProgress, CallPath, ReadyCall } from '../call-tool.ts';
import type { PermissionDecision, PermissionRequest } from '../permissions/decide.ts';
import { askUser } from './ask-user.ts';
import { CallStopped } from './call-stopped.ts';
import type { CallTrace } from './call-trace.ts';

/**
 * Decides whether the call may run, and asks the session's user where the rules or a hook say so.
 * @returns undefined when it may at once, else what to wait for.
 * @throws CallStopped `denied` that names the rule, or the rule or flag that would allow it.
 */
export function allowCall(path: CallPath, progress: CallInProgress, ready: ReadyCall): Promise<void> | undefined {
  const { tool, input } = ready;
  const { session, options } = progress;
  const snapshot = options.snapshot ?? path.snapshotOf(session);
  const request: PermissionRequest = {
    tool,
    shadowsAnother: snapshot.shadowsAnother(tool),
    input,
    session,
    userCall: options.isUserCall === true,
  };
  const paths = path.permissions.pathsToResolve(request);
  if (paths.length > 0) return allowResolved(path, progress, { ready, request, paths });
  return enforce(path, progress, { ready, decided: path.permissions.decide(request) });
}

interface UnresolvedCall {
  readonly ready: ReadyCall;
  readonly request: PermissionRequest;
  readonly paths: readonly string[];
}

/** Where links lead counts too: a rule for `secret/**` must also hold for a link into it. */
async function allowResolved(
  path: CallPath,
  progress: CallInProgress,
  { ready, request, paths }: UnresolvedCall,
): Promise<void> {
  const { realPlace } = await import('../builtin/confine-path.ts');
  const realPaths = await Promise.all(paths.map((one) => realPlace(one).catch(() => one)));
  await enforce(path, progress, { ready, decided: path.permissions.decide({ ...request, realPaths }) });
}

interface DecidedCall {
  readonly ready: ReadyCall;
  readonly decided: PermissionDecision;
}

function enforce(path: CallPath, progress: CallInProgress, { ready, decided }: DecidedCall): Promise<void> | undefined {
  const { session, options, trace } = progress;
  const { tool, input, hookAsks } = ready;
  const isAnswered = path.saysYes || options.isUserCall === true;
  const hooked = hookAsks === undefined || isAnswered ? decided : raised(decided, 'hook PreToolUse', hookAsks);
  const { asksBecause } = options;
  const decision = asksBecause === undefined || isAnswered ? hooked : raised(hooked, 'the caller', asksBecause);
  trace.decision = decision.decision;
  trace.rule = decision.rule ?? decision.source;
  if (decision.decision === 'allow') return undefined;
  const { name } = tool.definition;
  if (decision.decision === 'deny') {
    throw new CallStopped(
      'denied',
      `The call of ${name} is not permitted: ${decision.reason}. It did not run. Do it another way, or ask the user to change the rule.`,
    );
  }
  const remembers = options.ignoresRemembered !== true;
  if (remembers && path.approvals.covers({ session, tool, input })) {
    trace.rule = 'remembered approval';
    return undefined;
  }
  const mayBeKept = remembers && decision.mayBeKept === true;
  const reason = options.caller
    ? `${options.caller.tool} of plugin ${options.caller.plugin} calls it: ${decision.reason}`
    : decision.reason;
  if (mayBeKept && path.keptApprovals.covers({ session, tool, input })) {
    trace.rule = 'kept approval';
    return undefined;
  }
  const { approve } = options;
  if (approve) return countWait(trace, askUser(path, progress, { tool, input, reason, mayBeKept, approve }));
  throw new CallStopped(
    'denied',
    `The call of ${name} needs the user's yes (${reason}), and nobody can answer here. It did not run. To permit it: ${decision.remedy ?? 'allow it with `--yes`'}.`,
  );
}

async function countWait(trace: CallTrace, question: Promise<void>): Promise<void> {
  const askedMs = performance.now();
  try {
    await question;
  } finally {
    trace.waitedMs += performance.now() - askedMs;
  }
}

/** A hook or a caller that wants the user asked turns an allow into an ask, unless the user has said yes to everything. */
function raised(decision: PermissionDecision, rule: string, reason: string): PermissionDecision {
  return decision.decision === 'allow' ? { decision: 'ask', source: 'rule', rule, reason } : decision;
}
