import type { PermissionDecision, PermissionRequest } from '../permissions/decide.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { askUser } from './ask-user.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import type { CallOptions } from './call-options.ts';
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
  const { options, trace } = progress;
  const decision = withAsks(decided, ready, { isAnswered: path.saysYes || options.isUserCall === true, options });
  trace.decision = decision.decision;
  trace.rule = decision.rule ?? decision.source;
  if (decision.decision === 'allow') return undefined;
  if (decision.decision === 'deny') throw denied(ready.tool, decision);
  const mayBeKept = options.ignoresRemembered !== true && decision.mayBeKept === true;
  const earlier = earlierYes(path, progress, { ready, mayBeKept });
  if (earlier) {
    trace.rule = earlier;
    return undefined;
  }
  const { approve } = options;
  const reason = reasonFor(decision, options);
  if (!approve) throw nobodyAnswers(ready.tool, { ...decision, reason });
  const { tool, input } = ready;
  return countWait(trace, askUser(path, progress, { tool, input, reason, mayBeKept, approve }));
}

/** What else wants the user asked: a hook, and the caller itself. */
function withAsks(
  decided: PermissionDecision,
  { hookAsks }: ReadyCall,
  { isAnswered, options: { asksBecause } }: { isAnswered: boolean; options: CallOptions },
): PermissionDecision {
  if (isAnswered) return decided;
  const hooked = hookAsks === undefined ? decided : raised(decided, 'hook PreToolUse', hookAsks);
  return asksBecause === undefined ? hooked : raised(hooked, 'the caller', asksBecause);
}

/** Which yes that was given before covers the call. */
function earlierYes(
  path: CallPath,
  { session, options }: CallInProgress,
  { ready: { tool, input }, mayBeKept }: { ready: ReadyCall; mayBeKept: boolean },
): string | undefined {
  if (options.ignoresRemembered === true) return undefined;
  if (path.approvals.covers({ session, tool, input })) return 'remembered approval';
  return mayBeKept && path.keptApprovals.covers({ session, tool, input }) ? 'kept approval' : undefined;
}

function reasonFor({ reason }: PermissionDecision, { caller }: CallOptions): string {
  return caller ? `${caller.tool} of plugin ${caller.plugin} calls it: ${reason}` : reason;
}

function denied({ definition }: RegisteredTool, { reason }: PermissionDecision): CallStopped {
  return new CallStopped(
    'denied',
    `The call of ${definition.name} is not permitted: ${reason}. It did not run. Do it another way, or ask the user to change the rule.`,
  );
}

function nobodyAnswers({ definition }: RegisteredTool, { reason, remedy }: PermissionDecision): CallStopped {
  return new CallStopped(
    'denied',
    `The call of ${definition.name} needs the user's yes (${reason}), and nobody can answer here. It did not run. To permit it: ${remedy ?? 'allow it with `--yes`'}.`,
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
